-- Rows of other patients with the ids of the rows a file brings.
select r.patient_ref, r.resource_id, r.content_hash, r.last_updated, r.version_id
from unnest(%(patients)s::text[], %(ids)s::text[]) as wanted (patient_ref, resource_id)
join resources r on r.resource_id = wanted.resource_id and r.patient_ref not in (wanted.patient_ref, '')
