select source, entry, reason from quarantine order by source, entry, reason limit %(limit)s
