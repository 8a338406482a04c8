-- The concepts of one patient in whose resources a word of the question occurs, with how well the best of them fits.
select concept_key, max(ts_rank_cd(tsv, %(words)s::tsquery, 1)) as score
from record_rows(%(patient)s)
where tsv @@ %(words)s::tsquery and not void and not administrative
group by concept_key
