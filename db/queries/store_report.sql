insert into evaluations (questions, answerer, patients, report)
values (%(questions)s, %(answerer)s, %(patients)s, %(report)s::jsonb)
returning evaluation_id
