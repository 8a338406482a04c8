create temporary table staged (
    patient_ref text, resource_id text, resource_type text, concept_key text, text_hash bytea, label text,
    resource_date timestamptz, status text, void boolean, administrative boolean, names text[], codes text[], refs text[],
    identifiers text[], named_by text[], named_here text[], text_content text, facts text, resource text, last_updated timestamptz,
    version_id text, content_hash bytea, source text, place integer
) on commit drop
