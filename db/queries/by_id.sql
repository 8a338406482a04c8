-- Resources by id: this patient's own, or shared directory rows. Never another patient's.
select facts, text_content
from resources
where patient_ref = any(array[%(patient)s, '']) and resource_id = any(%(ids)s::text[])
