-- The versions of PostgreSQL and of pgvector, and how much is stored.
select
    current_setting('server_version'),
    (select extversion from pg_extension where extname = 'vector'),
    (select count(*) from patients where resources > 0),
    (select count(*) from concepts)
