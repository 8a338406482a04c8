-- Reports of `evaluate`, newest kept. A report holds answers, so it goes when one of its patients is forgotten.

create table evaluations (
    evaluation_id bigint generated always as identity primary key,
    made_at       timestamptz not null default now(),
    questions     text not null,                   -- the question file
    answerer      text not null,
    patients      text[] not null,                 -- whose records it asked about
    report        jsonb not null                   -- core.evaluation.report.Report
);
create index evaluations_patients on evaluations using gin (patients);
