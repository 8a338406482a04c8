delete from quarantine q
where q.source in (select source from resources where patient_ref = %(patient)s)
  and q.source not in (select source from resources where patient_ref not in (%(patient)s, ''))
