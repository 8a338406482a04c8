delete from files
