-- The JSON of one resource of this patient's record (its own before that of a merged one) or of a shared directory row.
select resource
from resources
where patient_ref = any(record_of(%(patient)s) || array['']) and resource_id = %(id)s
order by patient_ref = %(patient)s desc
limit 1
