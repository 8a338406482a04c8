delete from feedback where patient_ref = %(patient)s
