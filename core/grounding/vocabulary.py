"""Words that carry no clinical fact of their own: what may stand in a supported claim without being in the record.

Left out on purpose: anything that judges, advises or hedges ("controlled", "should", "likely"), every degree and side
("severe", "left"), and every word of medicine. Those have to be found in what is cited.
"""

from __future__ import annotations

from core.words import stem, stems

_FRAME = """
a an the this that these those such same other another one ones each all every both any some which who whom
whose what when where
how there here it its they them their he she him her his hers i we our us you your patient patients person
individual subject
is are was were be been being am has have had having do does did done doing can will would shall
and or nor but while whereas though although because so then than as if also too only just again further
furthermore moreover
additionally respectively together both either however overall total totals
of in on at to from by for with within into onto over under between among across through throughout during
since until till after
before around about per via upon toward towards against along out off up down above below near out-of
not no never none without
now currently current present presently previously earlier later already still yet ever once recently recent
latest newest last first
earliest oldest initial initially most least more less very next prior previous preceding subsequent
subsequently following followed
follow follows final finally began begin begins beginning start started starts starting end ended ends ending
record records recorded recording document documented documents chart charted file filed note noted notes list
listed lists listing
show shows showed shown showing report reported reports reporting state states stated stating indicate
indicates indicated
contain contains contained include includes included including hold holds held describe describes described
mention mentioned
see seen find finds found finding findings give gives gave given take takes took taken taking make makes made
use used using
get gets got go goes went gone come comes came return returned returns stand stands stood remain remains
remained stay stays stayed
keep kept appear appears appeared exist exists existed occur occurs occurred happen happened
measure measures measured measurement measurements measuring result results resulted value values reading
readings level levels
test tests tested testing check checked checks checking observe observed observation observations observing
obtain obtained
perform performed performing conducted carried completed administer administered receive receives received
receiving undergo
underwent undergone enter entered order ordered orders request requested prescribe prescribed prescribes
prescription author authored
issue issued issues diagnose diagnosed diagnosis onset collected drawn sampled dated date dates datetime day
days month months year
years week weeks time times hour hours o'clock occasion occasions episode instance instances entry entries
item items
count counts counted number numbers amount amounts quantity figure figures unit units range ranges period
periods window
available data database fhir resource resources evidence source sources citation cited cite reference
references information detail
details summary summarised summarized overview answer answers question asked ask query section table column
row below above
status known unknown named called labelled labeled coded code codes term name names title type kind category
class
regarding concerning respect related relevant according based basis per
clinical clinically medical medically health healthcare care history historical background
well-documented respectively namely specifically approximately approx roughly circa nearly almost exactly
precisely
change changed changes changing trend trends series
highest lowest maximum minimum max min peak nadir
two three four five six seven eight nine ten eleven twelve twice thrice several multiple many few single
couple
sure certainly course indeed looking look looks happy help
slightly slight little bit flagged flag marked noting dating taking
please thank thanks let's hello below follows e.g i.e eg ie etc vs versus yes
consistent corresponding correspond corresponds associated separate distinct different unique
compared comparison compare compares comparing relative
"""
# One stem, two words: "several" frames, "severe" is a finding.
_MEDICAL_STEMS = frozenset(s for word in ["severe", "severely"] for s in stems(word))
FRAME_WORDS = frozenset(_FRAME.split())
FRAME = frozenset(s for word in _FRAME.split() for s in (*stems(word), stem(word))) - _MEDICAL_STEMS

# What each resource type is called; a claim that says "medication" is about one of these, not about an Observation.
_TYPE_WORDS = {
    "AllergyIntolerance": (
        "allergy allergies allergic intolerance intolerances allergen reaction reactions substance "
        "sensitivity"
    ),
    "CarePlan": "care plan plans careplan activity activities regime program",
    "CareTeam": "care team teams member",
    "Condition": (
        "condition conditions problem problems disease diseases disorder disorders diagnosis diagnoses "
        "diagnosed illness morbidity comorbidity developed experienced contracted suffer suffers suffered affected findings "
        "situation"
    ),
    "Device": "device devices implant implanted equipment",
    "DiagnosticReport": "diagnostic report reports panel panels lab labs laboratory study studies",
    "DocumentReference": "document documents note notes letter summary attachment written wrote clinician encounter visit",
    "Encounter": (
        "encounter encounters visit visits visited admission admissions admitted appointment appointments "
        "stay stays hospitalization hospitalizations hospital attended attendance presented seen "
        "department room ed er discharge discharged consultation contact clinic ward reason treated "
        "evaluated spent lasted stayed took"
    ),
    "FamilyMemberHistory": "family relative relatives member",
    "Goal": "goal goals target targets achievement",
    "ImagingStudy": "imaging image images scan scans study studies modality radiology body site",
    "Immunization": (
        "immunization immunizations immunisation immunized vaccination vaccinations vaccinated vaccine "
        "vaccines shot shots jab jabs dose doses inoculation booster"
    ),
    "MedicationAdministration": "medication medications medicine medicines drug drugs administration dose doses dosage",
    "MedicationDispense": "medication medications medicine medicines drug drugs dispensed dispense supply",
    "MedicationRequest": (
        "medication medications medicine medicines drug drugs prescription prescriptions order orders "
        "treatment therapy dose doses dosage regimen course prescriber taken written wrote takes"
    ),
    "MedicationStatement": "medication medications medicine medicines drug drugs statement dose dosage",
    "Observation": "lab labs laboratory vital vitals sign signs survey questionnaire score screening",
    "Patient": "birth born demographic demographics gender sex dob age",
    "Procedure": (
        "procedure procedures surgery surgeries operation operations operative intervention interventions "
        "surgical"
    ),
    "ServiceRequest": "referral referrals referred request",
    "QuestionnaireResponse": "questionnaire response survey",
    "ImmunizationRecommendation": "recommendation recommended",
}
TYPE_WORDS = {
    kind: frozenset(s for word in words.split() for s in stems(word)) for kind, words in _TYPE_WORDS.items()
}

# In many names and in none on purpose: a claim that shares only these with a resource has not named it.
_GENERIC = """
blood serum plasma total body oral tablet capsule injection solution mg ml mcg disorder finding procedure
situation disease
history acute chronic unspecified other type mass volume presence moles ratio automated count rate panel
measurement test level
status score medication drug patient examination assessment screening education therapy care plan service
general
structure region entire left right bilateral using quality substance tobacco primary secondary day pack hour
hr release extended
urine specimen strip normal high low
"""
GENERIC = frozenset(s for word in _GENERIC.split() for s in stems(word))

# How bad, how long, which side: said of a thing that is named in full, these are statements of their own.
_DEGREES = (
    "severe mild moderate critical advanced early late acute chronic left right bilateral recurrent terminal"
)
DEGREES = frozenset(s for word in _DEGREES.split() for s in stems(word))

# Short forms and the other English for the same substance: INN and BAN beside the USAN names that records use.
_SHORT = {
    "po": "oral", "iv": "intravenous", "im": "intramuscular", "er": "extended release", "xr": "extended release",
    "sr": "extended release", "tab": "tablet", "tabs": "tablet", "cap": "capsule", "caps": "capsule", "inj": "injection",
    "prn": "needed", "hctz": "hydrochlorothiazide", "asa": "aspirin", "apap": "acetaminophen",
    "paracetamol": "acetaminophen", "salbutamol": "albuterol", "adrenaline": "epinephrine", "frusemide": "furosemide",
    "lignocaine": "lidocaine", "pethidine": "meperidine", "glyceryl": "nitroglycerin", "rifampicin": "rifampin",
    "glibenclamide": "glyburide", "mouth": "oral", "shingles": "zoster", "flu": "influenza", "ekg": "electrocardiographic",
    "ecg": "electrocardiographic",
}  # fmt: skip
SHORT = {stem(word): frozenset(stems(full)) for word, full in _SHORT.items()}
