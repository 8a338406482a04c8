insert into patients (patient_ref, name, birth_date, gender, deceased, merged_into, search, resources)
values (%(patient_ref)s, %(name)s, %(birth_date)s, %(gender)s, %(deceased)s, %(merged_into)s, %(search)s, 0)
on conflict (patient_ref) do update set
    name = excluded.name, birth_date = excluded.birth_date, gender = excluded.gender, deceased = excluded.deceased,
    merged_into = excluded.merged_into, search = excluded.search
