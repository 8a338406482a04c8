-- What readers say of answers, kept with the answer; the audit trail by user.

create table feedback (
    feedback_id bigint generated always as identity primary key,
    given_at    timestamptz not null default now(),
    user_name   text not null,
    patient_ref text not null,
    question    text not null,
    rating      text not null check (rating in ('right', 'wrong', 'missing')),
    comment     text not null,
    answer_hash bytea not null,                    -- sha256 of the answer: one rating per user and answer
    answer      json not null,                     -- the answer as it was shown, with its claims and citations
    unique (user_name, patient_ref, answer_hash)
);
create index feedback_patient on feedback (patient_ref);

create index audit_user on audit (user_name, audit_id);
