select
    evaluation_id,
    made_at,
    questions,
    answerer,
    (report #>> '{overall,questions}')::int as asked,
    (report #>> '{overall,correct,mean}')::float as correct
from evaluations
order by evaluation_id desc
