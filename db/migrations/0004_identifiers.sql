-- What patients and directory rows may be meant by in a conditional reference: 'Type?identifier=system|value'.

alter table resources add column identifiers text[] not null default '{}';
create index resources_identifiers on resources using gin (identifiers) where identifiers <> '{}';
