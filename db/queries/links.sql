-- What refers to what in one patient's record, newest first; whom nearly everything refers to is left out.
select ref, resource_id
from record_rows(%(patient)s), unnest(refs) as ref
where not void and not administrative and split_part(ref, '/', 1) <> all(%(everybodys)s::text[])
order by resource_date desc nulls last, resource_id desc
