with gone as (delete from resources where patient_ref = any(%(patients)s::text[]) returning resource_type)
select resource_type, count(*) from gone group by resource_type order by count(*) desc, resource_type
