"""read -> own -> render -> embed -> store: every resource read is written, unchanged, superseded or quarantined."""
