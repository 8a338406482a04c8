delete from quarantine where source = %(source)s and entry = %(entry)s and reason = %(reason)s
