-- Patients are found whatever the accents typed: the search text once more, decomposed and without combining marks.

alter table patients add column folded text
    generated always as (regexp_replace(normalize(search, NFD), '[\u0300-\u036f]', '', 'g')) stored;
