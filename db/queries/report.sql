select report::text from evaluations where evaluation_id = %(evaluation_id)s
