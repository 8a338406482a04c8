-- Another process may have embedded the same text meanwhile: its vector is the same one.
insert into concepts (text_hash, embedded_text, embedding)
select text_hash, embedded_text, embedding from staged_concepts
on conflict (text_hash) do nothing
