insert into audit (user_name, patient_ref, question, shown, answerer, verdict, refused)
values (%(user)s, %(patient)s, %(question)s, %(shown)s, %(answerer)s, 'unanswered', false)
returning audit_id
