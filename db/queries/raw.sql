select resource from resources where patient_ref = any(array[%(patient)s, '']) and resource_id = %(id)s
