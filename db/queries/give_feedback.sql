insert into feedback (user_name, patient_ref, question, rating, comment, answer_hash, answer)
values (
    %(user)s, %(patient)s, %(question)s, %(rating)s, %(comment)s,
    sha256(convert_to(%(question)s || chr(10) || (%(answer)s::json ->> 'answer'), 'UTF8')), %(answer)s::json
)
on conflict (user_name, patient_ref, answer_hash) do update set
    rating = excluded.rating, comment = excluded.comment, answer = excluded.answer, given_at = now()
