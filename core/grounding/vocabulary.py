"""Words that may stand in a supported claim without being in the record: those that only hold a sentence together.

A word belongs here only if no sentence turns false by it; those of every sentence, and of each type of resource, are in
data/terminology/wording.yaml.
What says when, which, how many, how sure, whose, taken or given, begun or over is read by a check, or stands with the types
of resource it may be said of; else it is unsupported.
"""

from __future__ import annotations

from core.grounding.checks import numbers
from core.wording import synonyms, wording, words_of
from core.words import stem, stems, tokens

FRAME_WORDS = frozenset(t.word for word in words_of(wording().frame) for t in tokens(word)) | words_of(
    wording().frame
)
# By the word, never by the stem: "medical" frames a sentence, "medications" says what it is about.
FRAME = frozenset(s for word in FRAME_WORDS for s in (*stems(word), stem(word)))
TALK = words_of(wording().talk)

# Nouns and verbs that say no more of a resource than its type does.
TYPE_WORDS = {
    kind: frozenset(s for word in words.split() for s in stems(word))
    for kind, words in wording().types.items()
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
    "prescription order": ("MedicationRequest",),
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

# Other words for what a name says: for each, the sets of words of which a name has to have one whole.
SAID_FOR = {
    stem(word): tuple(frozenset(stems(way)) for way in ways.split("|"))
    for word, ways in synonyms().words.items()
}

# Phrases that only hold a sentence together, though their words alone would say something; regular expressions.
_STATE = "active|inactive|resolved|stopped|completed|high|low|normal|elevated|abnormal|listed"
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_OCCASIONS = "(?:visits|appointments|check-?ups|readings|measurements|results|values|tests|checks|recordings|draws|samples)"
IDIOMS = (
    r"for use(?= (?:as|when|if|on|at|by|in|only)\b)",
    r"as well(?: as)?",
    r"any ?(?:more|longer)",
    r"(?:c[ao]mes?|coming|works?|worked|bears?|bore|points?|pointed|drawn|makes?|made|finds?|found) out(?! of)",
    r"back(?= (?:to|at|from|inside|within)\b)",
    rf"(?:over|across|from|in|at|on)(?= (?:all |the )*(?:\d{{1,3}}|{numbers.WORD}) (?:[a-z]+ )?{_OCCASIONS})",
    r"so(?= (?:that|there|it|this|the|he|she|in|on|at|by|a|an)\b)",
    r"on (?:and|or) off(?! )",
    r"(?:a|the) (?:grand )?total(?= of)",
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
