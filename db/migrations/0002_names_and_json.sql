-- The resource as it was sent (json keeps the order of its fields), the names a row depends on, and a bound on full text.

alter table resources drop column tsv;
-- Rows of earlier versions hold the resource as one JSON string.
alter table resources alter column resource type json using
    case when jsonb_typeof(resource) = 'string' then (resource #>> '{}')::json else resource::json end;
-- to_tsvector refuses more than 1 MB of words: of a longer text the first 250,000 characters are searched.
alter table resources add column tsv tsvector
    generated always as (to_tsvector('english', left(text_content, 250000))) stored;

-- 'Type/id' of every resource whose name this row's text shows or would show: it is rendered again when one changes.
alter table resources add column named_by text[] not null default '{}';
create index resources_named_by on resources using gin (named_by) where named_by <> '{}';
create index resources_concept_id on resources (concept_id);
-- Nothing searches by outbound reference; keeping it up cost a tenth of an ingestion.
drop index resources_refs;
