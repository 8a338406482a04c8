create temporary table staged_concepts (text_hash bytea, embedded_text text, embedding halfvec(384)) on commit drop
