-- The audit trail, newest first, before an entry (all of it without one); filters that are empty let everything pass.
select a.audit_id, a.asked_at, a.user_name, a.patient_ref, coalesce(p.name, ''), a.question, a.shown, a.answerer, a.verdict,
    a.refused
from audit a
left join patients p using (patient_ref)
where (%(before)s::bigint is null or a.audit_id < %(before)s)
  and (%(user)s = '' or a.user_name = %(user)s)
  and (%(patient)s = '' or a.patient_ref = %(patient)s or p.folded like %(pattern)s)
order by a.audit_id desc
limit %(limit)s
