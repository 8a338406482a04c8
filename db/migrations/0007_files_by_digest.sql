-- A file is recognised by its bytes under whatever name.

create index files_sha256 on files (sha256);
