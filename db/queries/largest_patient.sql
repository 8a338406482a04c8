-- The patient with the most resources, and how many rows there are in all.
select patient_ref, (select sum(resources) from patients) from patients order by resources desc limit 1
