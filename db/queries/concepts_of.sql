-- Every way a concept is named in one patient's record, how often and when, and the vector of its embedded text.
select
    named.concept_key, named.resource_type, named.label, named.names, named.codes, named.resources,
    named.first_date, named.last_date, concepts.concept_id, concepts.embedding
from (
    select
        concept_key, concept_id, names, codes,
        min(resource_type) as resource_type,
        min(label) as label,
        count(*) as resources,
        min(resource_date) as first_date,
        max(resource_date) as last_date
    from record_rows(%(patient)s)
    where not void and not administrative
    group by concept_key, concept_id, names, codes
) named
join concepts using (concept_id)
order by concept_key, concept_id, names, codes
