-- Every resource of some concepts of one patient, newest first; of one instant in the order of their ids, so that the
-- first of a series is chosen as the latest is.
select facts, text_content
from record_rows(%(patient)s)
where concept_key = any(%(concepts)s::text[]) and not void
order by resource_date desc nulls last, resource_id desc
