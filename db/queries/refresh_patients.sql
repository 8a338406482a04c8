-- A row for every owner met, and the number of resources it now has.
insert into patients (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)
select owner, '', '', '', '', '', lower(owner), (select count(*) from resources r where r.patient_ref = owner)
from unnest(%(owners)s::text[]) as owner
on conflict (patient_ref) do update set resources = excluded.resources
