-- What was set aside of files that hold this patient and nobody else: what is wrong with them was this patient's.
delete from quarantine q
where exists (select from resources r where r.source = q.source and r.patient_ref = %(patient)s)
  and not exists (select from resources r where r.source = q.source and r.patient_ref not in (%(patient)s, ''))
