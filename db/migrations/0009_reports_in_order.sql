-- A report keeps the order its groups and kinds were written in, which jsonb does not.

alter table evaluations alter column report type json;
