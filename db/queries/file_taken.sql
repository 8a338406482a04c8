-- Whether these very bytes were taken whole before, and how many resources they hold.
select resources from files where sha256 = %(sha256)s and exists (select from patients) limit 1
