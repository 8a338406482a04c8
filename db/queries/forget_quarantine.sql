-- What was set aside of files that hold these records and nobody else's: what is wrong with them was this patient's.
delete from quarantine q
where exists (select from resources r where r.source = q.source and r.patient_ref = any(%(patients)s::text[]))
  and not exists (
      select from resources r
      where r.source = q.source and r.patient_ref <> '' and r.patient_ref <> all(%(patients)s::text[])
  )
