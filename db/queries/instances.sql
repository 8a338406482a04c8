-- Every resource of some concepts of one patient, newest first; of one instant, what stands later in its source
-- counts as later.
select facts, text_content
from record_rows(%(patient)s)
where concept_key = any(%(concepts)s::text[]) and not void
order by resource_date desc nulls last, place desc, resource_id desc
