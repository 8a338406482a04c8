-- Patients whose name, identifier, birth date or id holds every word typed: of each word, any way of writing it.
with words as (
    select word, array_agg(pattern) as patterns
    from (
        select (n - 1) / array_length(%(patterns)s::text[], 2) as word, pattern
        from unnest(%(patterns)s::text[]) with ordinality as t (pattern, n)
    ) each
    group by word
)
select patient_ref, name, birth_date, gender, deceased, merged_into, resources
from patients
where resources > 0 and not exists (select from words where not folded like any(patterns))
order by name, patient_ref
limit %(limit)s
