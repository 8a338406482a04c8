-- Every clinical resource of one patient.
select facts from resources where patient_ref = %(patient)s
