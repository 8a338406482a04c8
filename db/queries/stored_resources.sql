-- Stored resources as they are needed to render them again.
select r.patient_ref, r.resource_id, r.resource, r.facts, r.content_hash, r.last_updated, r.version_id, r.source,
    r.named_here, r.place
from unnest(%(patients)s::text[], %(ids)s::text[]) as wanted (patient_ref, resource_id)
join resources r using (patient_ref, resource_id)
