-- Texts that no row embeds any more.
delete from concepts c where not exists (select from resources r where r.concept_id = c.concept_id)
