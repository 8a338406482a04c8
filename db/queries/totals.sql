-- Patients and their resources from the patients' own rows; the newest row version changes with every ingest.
select count(*), coalesce(sum(resources), 0), coalesce(max(xmin::text::bigint), 0)::text from patients where resources > 0
