select resource_type, count(*) from resources group by resource_type order by count(*) desc, resource_type
