-- Files that were taken whole, so that the same bytes need not be read again; names a row took from its own document.

create table files (
    source    text primary key,                    -- absolute path
    sha256    bytea not null,                      -- of its bytes and of the version of the code that read it
    resources integer not null                     -- how many resources it holds, none of them in quarantine
);

alter table resources add column named_here text[] not null default '{}';
create index resources_named_here on resources using gin (named_here) where named_here <> '{}';
