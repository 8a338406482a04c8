insert into files (source, sha256, resources) values (%(source)s, %(sha256)s, %(resources)s)
on conflict (source) do update set sha256 = excluded.sha256, resources = excluded.resources
