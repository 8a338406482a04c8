delete from feedback where patient_ref = any(%(patients)s::text[])
