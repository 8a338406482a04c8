"""Words that may stand in a supported claim without being in the record: those that only hold a sentence together.

A word belongs here only if no sentence turns false by it; those of every sentence are in data/terminology/wording.yaml.
What says when, which, how many, how sure, whose, taken or given, begun or over is read by a check, or stands with the types
of resource it may be said of; else it is unsupported.
"""

from __future__ import annotations

from core.wording import wording, words_of
from core.words import stem, stems, tokens

FRAME_WORDS = frozenset(t.word for word in words_of(wording().frame) for t in tokens(word)) | words_of(
    wording().frame
)
# By the word, never by the stem: "medical" frames a sentence, "medications" says what it is about.
FRAME = frozenset(s for word in FRAME_WORDS for s in (*stems(word), stem(word)))
TALK = words_of(wording().talk)

_MEDICATION = (
    "medication medications medicine medicines meds med drug drugs dose doses dosage dosing regimen "
    "treatment therapy course "
    "pharmacotherapy agent"
)
# Nouns and verbs that say no more of a resource than its type does. An order is not given, taken or received.
_TYPE_WORDS = {
    "AllergyIntolerance": (
        "allergy allergies allergic intolerance intolerances allergen allergens reaction reactions "
        "reacts reacted react "
        "substance sensitivity hypersensitivity manifestation manifested causing causes caused cause criticality"
    ),
    "CarePlan": (
        "care plan plans careplan activity activities regime program started began begun start set up "
        "management ran lasted"
    ),
    "CareTeam": "care team teams member members",
    "Condition": (
        "condition conditions problem problems disease diseases disorder disorders diagnosis diagnoses "
        "diagnosed illness morbidity comorbidity comorbidities developed develop experienced contracted "
        "suffer suffers suffered treated "
        "suffering affected findings finding situation onset began begun started start history since "
        "made presented had "
        "carries living lives identified detected emerged appeared arose struck sustained established "
        "newly patient bout bouts visit appointment ran lasted"
    ),
    "Device": "device devices implant implanted implants equipment",
    "DiagnosticReport": (
        "diagnostic report reports panel panels lab labs laboratory study studies performed done issued "
        "test tests measured blood work"
    ),
    "DocumentReference": (
        "document documents note notes letter summary attachment written wrote clinician encounter "
        "visit authored"
    ),
    "Encounter": (
        "encounter encounters visit visits visited admission admissions admitted appointment appointments "
        "stay stays hospitalization hospitalizations hospital hospitalized attended attendance "
        "attendances presented seen "
        "department room ed er discharge discharged consultation contact clinic ward reason treated "
        "evaluated spent lasted stayed took came went care started ended inpatient saw provider visiting ran became"
        " come coming through brought arrived arriving arrival transferred presenting via"
    ),
    "FamilyMemberHistory": "family relative relatives member history",
    "Goal": "goal goals target targets achievement set started",
    "ImagingStudy": (
        "imaging image images scan scans study studies modality radiology body site performed done "
        "underwent undergone started"
    ),
    "Immunization": (
        "immunization immunizations immunisation immunized vaccination vaccinations vaccinated vaccine "
        "vaccines shot shots jab jabs dose doses inoculation given administered received receive "
        "receives got gave get "
        "had done administration against performed injection booster boosters boosted inoculated visit visits appointment"
    ),
    "MedicationAdministration": f"{_MEDICATION} administration administrations given administered received gave got receive",
    "MedicationDispense": f"{_MEDICATION} dispensed dispense supply supplied filled",
    "MedicationRequest": (
        f"{_MEDICATION} prescription prescriptions order orders ordered prescribed prescribe prescribes "
        "prescriber written wrote "
        "authored author started began start begun initiated commenced placed requested request script "
        "scripts renewed issued visit appointment"
        " added adding adds"
    ),
    "MedicationStatement": f"{_MEDICATION} statement taking reported started began start",
    "Observation": (
        "lab labs laboratory vital vitals sign signs survey questionnaire score screening measure "
        "measures measured measurement "
        "measurements reading readings level levels test tests tested testing check checked checks "
        "checking observe observed "
        "observation observations obtain obtained performed done taken took drawn collected sampled "
        "sample issued analysis read came "
        "come answered answer scored clocked tipped scales draw blood work result weighed weighs "
        "weighing rate concentration returned run"
        " visit visits appointment appointments gave give parameter parameters marker markers analyte allergen"
        " ratio covered covering ratios"
    ),
    "Patient": (
        "personal birth born demographic demographics gender sex dob age birthday aged marital lives address "
        "language race"
    ),
    "Procedure": (
        "procedure procedures surgery surgeries operation operations operative intervention interventions "
        "surgical session sessions completed performed done underwent undergone undergo undergoes "
        "carried conducted received had "
        "took started treated visit visits appointment given got give began begun gave"
        " ran lasted"
    ),
    "ServiceRequest": "referral referrals referred request requested ordered order",
    "QuestionnaireResponse": "questionnaire response survey answered answer",
    "ImmunizationRecommendation": "recommendation recommended",
}
TYPE_WORDS = {
    kind: frozenset(s for word in words.split() for s in stems(word)) for kind, words in _TYPE_WORDS.items()
}
# Of a resource that states a reason: what else a sentence may say of why.
REASON_WORDS = frozenset(
    stems(
        "because due owing account treat treated treatment treating reason indication indicated used "
        "manage managing"
    )
)
# The nouns that mean every entry of a type, and the types they mean: "her latest diagnosis" is one among all diagnoses.
_DRUGS = ("MedicationRequest", "MedicationStatement", "MedicationAdministration", "MedicationDispense")
_KIND_NOUNS: dict[str, tuple[str, ...]] = {
    "condition problem disease disorder diagnosis illness comorbidity": ("Condition",),
    "medication medicine drug med": _DRUGS,
    "prescription": ("MedicationRequest",),
    "allergy intolerance": ("AllergyIntolerance",),
    "immunization vaccination vaccine shot jab": ("Immunization",),
    "procedure surgery operation intervention": ("Procedure",),
    "encounter visit admission hospitalization appointment": ("Encounter",),
    "plan": ("CarePlan",),
    "goal": ("Goal",),
    "device implant": ("Device",),
}
KIND_NOUNS = {s: types for words, types in _KIND_NOUNS.items() for word in words.split() for s in stems(word)}
KIND_NOUNS |= {"diagnos": ("Condition",), "diagnosi": ("Condition",)}

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
    "severe mild moderate critical advanced early late acute chronic left right bilateral recurrent "
    "terminal new old"
)
DEGREES = frozenset(s for word in _DEGREES.split() for s in stems(word))

# What turns a name into another thing: a resource whose name says it is not named without it.
_TURNING = (
    "awaiting suspected suspicion risk risks screening referral declined refused family no not "
    "without education counseling "
    "prevention exposure fear absence negative due planned donor antibody antigen allergy"
)
TURNING = frozenset(s for word in _TURNING.split() for s in stems(word))

# Short forms and the other English for the same substance: INN and BAN beside the USAN names that records use.
_SHORT = {
    "po": "oral", "iv": "intravenous", "im": "intramuscular", "er": "extended release", "xr": "extended release",
    "sr": "extended release", "tab": "tablet", "tabs": "tablet", "cap": "capsule", "caps": "capsule", "inj": "injection",
    "prn": "needed", "hctz": "hydrochlorothiazide", "asa": "aspirin", "apap": "acetaminophen",
    "paracetamol": "acetaminophen", "salbutamol": "albuterol", "adrenaline": "epinephrine", "frusemide": "furosemide",
    "lignocaine": "lidocaine", "pethidine": "meperidine", "glyceryl": "nitroglycerin", "rifampicin": "rifampin",
    "glibenclamide": "glyburide", "mouth": "oral", "shingles": "zoster", "flu": "influenza", "ekg": "electrocardiographic",
    "ecg": "electrocardiographic", "strep": "streptococcal", "broke": "fracture", "broken": "fracture",
    "radiotherapy": "radiation therapy", "chemo": "chemotherapy", "physio": "physical therapy",
    "physiotherapy": "physical therapy", "hepatitis": "hep", "stitched": "suture", "stitches": "suture", "cut": "laceration",
}  # fmt: skip
SHORT = {stem(word): frozenset(stems(full)) for word, full in _SHORT.items()}

# Phrases that only hold a sentence together, though their words alone would say something; regular expressions.
_STATE = "active|inactive|resolved|stopped|completed|high|low|normal|elevated|abnormal|listed"
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
IDIOMS = (
    r"c[ao]mes? back",
    r"(?:i|we|you) (?:can|could|am able to|was able to|were able to)"
    r"(?= (?:also )?(?:find|see|locate|identify|tell|confirm|report))",
    r"(?:(?:has|have|had) )?gone(?= from)",
    r"(?:per|by|going by) the (?:lab(?:oratory)?(?:'s)? |result's )?flags?",
    r"now(?= (?:stopped|resolved|discontinued|inactive|completed|ended|finished|cleared)\b)",
    r"can be (?:found|seen)",
    r"as recently as",
    r"check-?ups?",
    r"near enough",
    r"went in(?= on\b| in\b)",
    r"(?:was |were |been )?added to (?:the|her|his|their) (?:problem |medication |drug |allergy )?(?:list|chart|record)",
    r"so (?:it|this|that) (?:took|lasted|ran)",
    r"against(?= (?:a |the )?(?:reference |normal )?(?:range|interval))|against(?= ~?\d)",
    r"still(?=, )",
    r"(?:once )?again(?=\s*(?:in|on|at|[,.;:)]|$))",
    r"as (?:early|far back|late) as",
    r"(?:across|over|between|at|on|in) (?:the |all |both |these |those )*(?:\d{4}(?:, and |, | and | & |/))*(?:\d{4} )?"
    r"(?:visits|appointments|check-?ups|readings|measurements)",
    r"(?:has|have|had) since(?= [a-z])",
    r"(?:at|during|on|from|of|in) (?:the|this|her|his|their|a|an) (?:clinic |office |follow-?up )?"
    r"(?:visit|appointment|encounter|check-?up|consultation|blood draw|draw|blood test|review|examination)"
    r"(?= (?:on|of|in|from|dated)? ?(?:the )?(?:early |late |mid-?)?(?:\d|" + _MONTH + r"))",
    r"flagged(?: as)?(?= normal\b)",
    r"(?:just|a (?:bit|little|touch|shade|hair)|somewhat)"
    r"(?= (?:over|under|above|below|more than|less than|higher|lower|shy))",
    r"(?:carried|rounded|spelled|laid|set) out(?! of)",
    r"turn(?:s|ed) out to be",
    r"dat(?:es?|ing) (?:back )?(?=from|to)|dat(?:es?|ing) back",
    r"going back",
    r"(?:c[ao]mes? )?(?:back|in) (?:at|as)",
    r"came in",
    rf"back (?:in|on)(?= (?:the )?(?:early |late |mid-?)?(?:\d|{_MONTH}))",
    r"at (?:the|that) time(?: of)?",
    r"that (?:same )?(?:day|year|month)",
    r"(?:on|in) (?:the )?(?:file|record|chart|notes?)",
    r"in total",
    r"to date",
    r"so far",
    r"of course",
    r"give or take",
    r"of the (?:two|three|four)(?= |,)",
    r"(?:see|listed|shown|given|summari[sz]ed|set out|tables?|details?|lists?|as) (?:above|below)",
    r"below(?=\s*[.:]|$)",
    r"as (?:recorded|shown|documented|noted|listed|ordered)",
    r"other(?= (?:clinical |active |recorded )?(?!patients|persons|people)[a-z]+s\b)",
    r"(?:over|across|in)(?= (?:the|his|her|their|these|those|all|both) (?:(?:last|latest|most recent|past|first|next|two|"
    r"three|four|five|\d+) |(?:results|tests|measurements|readings|values|course|period)\b))",
    r"over (?:the (?:years|months|same period)|time)",
    rf"(?:remain|stay|continue|kept|keep)(?:s|ed)?(?= (?:to be )?(?:{_STATE}|on)\b)",
    r"marked(?= (?:as|active|resolved|stopped|completed)\b)",
    r"picked up",
    r"came down with",
    r"set in",
    r"(?:turn(?:s|ed)|show(?:s|ed)?|c[ao]mes?|pop(?:s|ped)|crop(?:s|ped)) up(?! (?:to|from|by|again|since|further)\b)",
    r"and again(?= (?:in|on))",
    r"and another(?= (?:in|on|from)\b)",
    r"t(?:ook|akes?) place",
    r"taken place",
    r"made the diagnosis",
    r"diagnosis was made",
    r"(?:was|been|is) (?:given|written|issued) an? (?=[a-z ]*(?:prescription|order))",
    r"received an? (?=[a-z ]*prescription)",
)
