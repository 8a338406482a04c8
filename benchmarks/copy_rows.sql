-- The rows of every patient once more, under ids of other patients. %(copy)s tells one copy from the next.
insert into resources (
    patient_ref, resource_id, resource_type, concept_key, concept_id, label, resource_date, status, void,
    administrative, names, codes, refs, identifiers, named_by, named_here, text_content, facts, resource, last_updated,
    version_id, content_hash, source, place
)
select
    patient_ref || %(copy)s, resource_id || %(copy)s, resource_type, concept_key, concept_id, label, resource_date, status,
    void, administrative, names, codes, array(select ref || %(copy)s from unnest(refs) as ref), '{}', '{}', '{}',
    text_content, facts, resource, last_updated, version_id, content_hash, source, place
from resources
where patient_ref <> '' and strpos(patient_ref, '~') = 0
limit %(rows)s
