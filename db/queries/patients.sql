-- Some patients by reference.
select patient_ref, name, birth_date, gender, deceased, merged_into, resources
from patients
where patient_ref = any(%(patients)s::text[])
