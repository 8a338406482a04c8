-- How many questions were asked about a patient: they stay when the patient is forgotten.
select count(*) from audit where patient_ref = any(%(patients)s::text[])
