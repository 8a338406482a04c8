-- Designations that mean exactly one stored resource ('Type?identifier=system|value'), and that resource's id.
select meant, min(resource_id)
from resources, unnest(identifiers) as meant
where identifiers && %(meant)s::text[] and identifiers <> '{}' and meant = any(%(meant)s::text[])
group by meant
having count(distinct resource_id) = 1
