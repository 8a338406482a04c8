-- Staged rows into place; `inserted` tells a new row from a refreshed one.
insert into resources (
    patient_ref, resource_id, resource_type, concept_key, concept_id, label, resource_date, status, void,
    administrative, names, codes, refs, identifiers, named_by, named_here, text_content, facts, resource, last_updated,
    version_id, content_hash, source, place
)
select
    s.patient_ref, s.resource_id, s.resource_type, s.concept_key, c.concept_id, s.label, s.resource_date, s.status, s.void,
    s.administrative, s.names, s.codes, s.refs, s.identifiers, s.named_by, s.named_here, s.text_content, s.facts, s.resource::json, s.last_updated,
    s.version_id, s.content_hash, s.source, s.place
from staged s
join concepts c using (text_hash)
order by s.patient_ref, s.concept_key
on conflict (patient_ref, resource_id) do update set
    resource_type = excluded.resource_type, concept_key = excluded.concept_key, concept_id = excluded.concept_id,
    label = excluded.label, resource_date = excluded.resource_date, status = excluded.status, void = excluded.void,
    administrative = excluded.administrative, names = excluded.names, codes = excluded.codes, refs = excluded.refs,
    identifiers = excluded.identifiers, named_by = excluded.named_by, named_here = excluded.named_here,
    text_content = excluded.text_content, facts = excluded.facts, resource = excluded.resource,
    last_updated = excluded.last_updated, version_id = excluded.version_id,
    content_hash = excluded.content_hash, source = excluded.source, place = excluded.place
returning (xmax = 0) as inserted
