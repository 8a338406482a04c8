"""One module per kind of atom: how it is read from a statement, and what has to be in the record for it to stand."""
