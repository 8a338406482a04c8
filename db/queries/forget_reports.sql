delete from evaluations where patients @> array[%(patient)s]
