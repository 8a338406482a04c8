delete from patients where patient_ref = any(%(patients)s::text[])
