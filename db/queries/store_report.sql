insert into evaluations (questions, answerer, patients, report)
values (%(questions)s, %(answerer)s, %(patients)s, %(report)s::json)
returning evaluation_id
