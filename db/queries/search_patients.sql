-- Patients whose name, identifier, birth date or id holds every word typed.
select patient_ref, name, birth_date, gender, deceased, merged_into, resources
from patients
where resources > 0 and search like all(%(patterns)s::text[])
order by name, patient_ref
limit %(limit)s
