-- Who answers for a patient (the survivor of a merge, else the patient itself), and whose records that one's holds.
select
    survivor,
    record_of(survivor),
    (select sum(resources) from patients where patient_ref = any(record_of(survivor)))
from survivor_of(%(patient)s) as survivor
