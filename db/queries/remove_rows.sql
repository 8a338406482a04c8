delete from resources r
using unnest(%(patients)s::text[], %(ids)s::text[]) as gone (patient_ref, resource_id)
where r.patient_ref = gone.patient_ref and r.resource_id = gone.resource_id
