-- The record of a patient holds the records merged into it (Patient.link replaced-by), however the files came.
-- Nothing is moved: a link that is taken back, or turns out to be a circle, parts the records again.

create index patients_merged_into on patients (merged_into) where merged_into <> '';

-- The patient at the end of the replaced-by links, as far as the Patients are here; of a circle, the patient itself.
create function survivor_of(patient text) returns text language sql stable as $$
    with recursive chain (ref, step) as (
        select patient, 0
        union all
        select next.resource_id, chain.step + 1
        from chain
        join patients p on p.patient_ref = chain.ref
        join resources next on next.patient_ref = p.merged_into and next.resource_id = p.merged_into
        where p.merged_into <> '' and chain.step < 32
    ) cycle ref set looped using path
    select case when bool_or(looped) then patient else (array_agg(ref order by step desc))[1] end from chain
$$;

-- The patient_refs whose rows make up one patient's record: its own, and those merged into it.
create function record_of(patient text) returns text[] language sql stable as $$
    with recursive merged (ref) as (
        select patient
        union
        select p.patient_ref from merged join patients p on p.merged_into = merged.ref
    )
    select array_agg(ref) from merged where ref = patient or survivor_of(ref) = patient
$$;

-- The rows of one patient's record. Of a merged record its Patient is left out (who the patient is, the survivor says),
-- and so is what the survivor has itself.
create function record_rows(patient text) returns setof resources language sql stable as $$
    select r.*
    from resources r
    where r.patient_ref = any(record_of(patient))
        and (
            r.patient_ref = patient
            or (
                r.resource_type <> 'Patient'
                and not exists (
                    select from resources own where own.patient_ref = patient and own.resource_id = r.resource_id
                )
            )
        )
$$;
