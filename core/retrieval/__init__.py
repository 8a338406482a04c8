"""question, search, match, select, references, context: every resource an answer rests on, or that there is none."""
