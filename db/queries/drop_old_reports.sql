delete from evaluations
where evaluation_id not in (select evaluation_id from evaluations order by evaluation_id desc limit %(keep)s)
