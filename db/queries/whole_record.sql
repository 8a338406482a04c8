-- Every resource of one patient, void and administrative ones too: a claim that rests on one must be told so.
select facts from record_rows(%(patient)s)
