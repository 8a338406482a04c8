-- Resources by id: of this patient's record, or shared directory rows. Never another patient's.
select facts, text_content
from record_rows(%(patient)s)
where resource_id = any(%(ids)s::text[])
union all
select facts, text_content
from resources
where patient_ref = '' and resource_id = any(%(ids)s::text[])
