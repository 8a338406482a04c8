-- Whether a source was taken before with these very bytes, and how many resources it holds.
select resources from files where source = %(source)s and sha256 = %(sha256)s and exists (select from patients)
