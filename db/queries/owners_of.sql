-- Whose each of these resources is.
select resource_id, patient_ref from resources where resource_id = any(%(ids)s::text[]) and patient_ref <> ''
