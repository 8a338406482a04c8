-- Changes whenever an ingest touched the patient or one merged into it: the row versions of their own rows.
select string_agg(patient_ref || ' ' || xmin::text, ',' order by patient_ref)
from patients
where patient_ref = any(record_of(%(patient)s))
