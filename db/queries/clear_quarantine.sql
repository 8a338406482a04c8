-- What was wrong with a file, and with each member of it.
delete from quarantine where source = %(file)s or starts_with(source, %(file)s || '/')
