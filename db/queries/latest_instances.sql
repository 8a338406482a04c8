-- The newest resource of each of some concepts of one patient.
select distinct on (concept_key) facts, text_content
from record_rows(%(patient)s)
where concept_key = any(%(concepts)s::text[]) and not void
order by concept_key, resource_date desc nulls last, place desc, resource_id desc
