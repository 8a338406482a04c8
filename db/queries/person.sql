-- Every record of the person that a patient is: the survivor of a merge and what was merged into it.
select record_of(survivor_of(%(patient)s))
