-- Resources whose names others may show: by id, of these owners or of nobody.
select patient_ref, resource_id, content_hash, resource
from resources
where resource_id = any(%(ids)s::text[]) and patient_ref = any(%(owners)s::text[])
