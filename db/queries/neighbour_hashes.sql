select patient_ref, resource_id, content_hash
from resources
where resource_id = any(%(ids)s::text[]) and patient_ref = any(%(owners)s::text[])
