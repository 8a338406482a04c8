select text_hash, concept_id from concepts where text_hash = any(%(hashes)s::bytea[])
