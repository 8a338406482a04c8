"""Whether an answer is what the record says: pure functions over typed facts, no I/O, no database, no model."""
