-- Rows that show, or would show, the name of one of these resources and did not find it in their own document,
-- or that came in the same document. What a document says of a name itself is not overruled by another document.
select patient_ref, resource_id, named_by || named_here
from resources
where (named_by && %(ids)s::text[] and named_by <> '{}')
   or (named_here && %(ids)s::text[] and named_here <> '{}' and source = %(source)s)
