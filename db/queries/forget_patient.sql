delete from patients where patient_ref = %(patient)s
