-- Shared directory rows (practitioners, organizations …) by id: they may be cited, but belong to no patient.
select facts from resources where patient_ref = '' and resource_id = any(%(ids)s::text[])
