-- The resources of one patient that refer to one of these, newest first.
select facts, text_content
from record_rows(%(patient)s)
where refs && %(ids)s::text[] and not void and not administrative
order by resource_date desc nulls last, place desc, resource_id desc
limit %(limit)s
