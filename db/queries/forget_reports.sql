delete from evaluations where patients && %(patients)s::text[]
