-- Every concept of one patient's record, each with how near it is to the question by vector and by words.
-- The patient's rows come from an index; the distance is exact over the patient's own few hundred concepts.
with mine as (
    select
        concept_key, concept_id, resource_type, label, names, codes, resource_date,
        case when tsv @@ %(words)s::tsquery then ts_rank_cd(tsv, %(words)s::tsquery, 1) end as word_score
    from record_rows(%(patient)s)
    where not void and not administrative
),
-- A record repeats itself: 6,000 rows have a few hundred ways of being named.
named as materialized (
    select
        concept_key, concept_id, names, codes,
        min(resource_type) as resource_type,
        min(label) as label,
        count(*) as resources,
        min(resource_date) as first_date,
        max(resource_date) as last_date,
        max(word_score) as word_score
    from mine
    group by concept_key, concept_id, names, codes
),
grouped as (
    select
        concept_key,
        min(resource_type) as resource_type,
        min(label) as label,
        string_agg(distinct array_to_string(names, E'\n'), E'\n') as names,
        string_agg(distinct array_to_string(codes, E'\n'), E'\n') as codes,
        sum(resources)::int as resources,
        min(first_date) as first_date,
        max(last_date) as last_date,
        max(word_score) as word_score
    from named
    group by concept_key
),
-- By their keys: the planner would rather read the vectors of everybody.
vectors as (
    select concept_id, embedding <=> %(vector)s as distance
    from concepts
    where concept_id = any(array(select concept_id from named))
),
near as (
    select concept_key, min(distance) as distance
    from named
    join vectors using (concept_id)
    group by concept_key
)
select
    g.concept_key, g.resource_type, g.label, g.names, g.codes, g.resources, g.first_date, g.last_date,
    n.distance,
    rank() over (order by n.distance) as vector_rank,
    case when g.word_score is not null then rank() over (order by g.word_score desc nulls last) end as word_rank
from grouped g
join near n using (concept_key)
