select text_hash from concepts where text_hash = any(%(hashes)s::bytea[])
