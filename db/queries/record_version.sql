-- Changes whenever an ingest touched the patient: the row version of the patient's own row.
select xmin::text from patients where patient_ref = %(patient)s
