-- Where a resource stands in its source: of two of one moment, the one that stands later was recorded later.
alter table resources add column place integer not null default 0;
