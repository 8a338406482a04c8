insert into quarantine (source, entry, reason) values (%(source)s, %(entry)s, %(reason)s) on conflict do nothing
