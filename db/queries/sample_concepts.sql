-- Some of the embedded texts, other ones each time, with their vectors.
select embedded_text, embedding from concepts order by random() limit %(limit)s
