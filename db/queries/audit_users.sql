-- Who asked anything, the latest first.
select user_name from audit group by user_name order by max(audit_id) desc limit 200
