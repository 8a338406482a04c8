update audit set answerer = %(answerer)s, verdict = %(verdict)s, refused = %(refused)s where audit_id = %(audit_id)s
