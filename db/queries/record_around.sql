-- What the verifier looks at: the cited resources, and every resource of the series and of the kinds they belong to.
-- Void rows are included: a claim that rests on one must be told so.
with cited as (
    select concept_key, resource_type from resources
    where patient_ref = %(patient)s and resource_id = any(%(ids)s::text[])
)
select facts from resources r
where patient_ref = %(patient)s
  and (
    concept_key in (select concept_key from cited)
    or concept_key = any(%(concepts)s::text[])
    or (resource_type in (select resource_type from cited) and resource_type not in ('Observation', 'DocumentReference', 'Procedure'))
  )
union all
select facts from resources where patient_ref = '' and resource_id = any(%(ids)s::text[])
