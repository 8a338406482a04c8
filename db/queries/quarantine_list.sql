-- What could not be taken, the latest first, and how much there is of it.
select source, entry, reason, seen_at, count(*) over () from quarantine order by seen_at desc, source, entry limit %(limit)s offset %(offset)s
