"""PostgreSQL: the pool, the embedded server and the migrations. SQL itself lives in db/."""
