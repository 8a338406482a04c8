-- What is already stored of the rows a file brings.
select r.patient_ref, r.resource_id, r.content_hash, r.last_updated, r.version_id
from unnest(%(patients)s::text[], %(ids)s::text[]) as wanted (patient_ref, resource_id)
join resources r using (patient_ref, resource_id)
