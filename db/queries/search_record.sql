-- One patient's resources by their text, void and administrative ones too: words in any form, or their very letters.
select resource_id
from record_rows(%(patient)s), websearch_to_tsquery('english', %(text)s) as words
where ((tsv @@ words) or text_content ilike all(%(patterns)s::text[]) or resource_id ilike all(%(patterns)s::text[]))
order by administrative, ts_rank_cd(tsv, words) desc, resource_date desc nulls last, resource_id
limit %(limit)s
