"""What each FHIR R4 type is: who owns its rows, and whether it speaks of care or of paperwork."""

from __future__ import annotations

# FHIR R4 (4.0.1).
_NAMES = """
Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse
AuditEvent Basic Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement CarePlan
CareTeam CatalogEntry ChargeItem ChargeItemDefinition Claim ClaimResponse ClinicalImpression
CodeSystem Communication CommunicationRequest CompartmentDefinition Composition ConceptMap Condition
Consent Contract Coverage CoverageEligibilityRequest CoverageEligibilityResponse DetectedIssue
Device DeviceDefinition DeviceMetric DeviceRequest DeviceUseStatement DiagnosticReport
DocumentManifest DocumentReference EffectEvidenceSynthesis Encounter Endpoint EnrollmentRequest
EnrollmentResponse EpisodeOfCare EventDefinition Evidence EvidenceVariable ExampleScenario
ExplanationOfBenefit FamilyMemberHistory Flag Goal GraphDefinition Group GuidanceResponse
HealthcareService ImagingStudy Immunization ImmunizationEvaluation ImmunizationRecommendation
ImplementationGuide InsurancePlan Invoice Library Linkage List Location Measure MeasureReport Media
Medication MedicationAdministration MedicationDispense MedicationKnowledge MedicationRequest
MedicationStatement MedicinalProduct MedicinalProductAuthorization MedicinalProductContraindication
MedicinalProductIndication MedicinalProductIngredient MedicinalProductInteraction
MedicinalProductManufactured MedicinalProductPackaged MedicinalProductPharmaceutical
MedicinalProductUndesirableEffect MessageDefinition MessageHeader MolecularSequence NamingSystem
NutritionOrder Observation ObservationDefinition OperationDefinition OperationOutcome Organization
OrganizationAffiliation Parameters Patient PaymentNotice PaymentReconciliation Person PlanDefinition
Practitioner PractitionerRole Procedure Provenance Questionnaire QuestionnaireResponse RelatedPerson
RequestGroup ResearchDefinition ResearchElementDefinition ResearchStudy ResearchSubject
RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter ServiceRequest Slot Specimen
SpecimenDefinition StructureDefinition StructureMap Subscription Substance SubstanceNucleicAcid
SubstancePolymer SubstanceProtein SubstanceReferenceInformation SubstanceSourceMaterial
SubstanceSpecification SupplyDelivery SupplyRequest Task TerminologyCapabilities TestReport
TestScript ValueSet VerificationResult VisionPrescription
"""
RESOURCE_TYPES = frozenset(_NAMES.split())
# Rows of nobody: shared by every patient who refers to them.
DIRECTORY = frozenset(
    {
        "Practitioner",
        "PractitionerRole",
        "Organization",
        "Location",
        "Medication",
        "HealthcareService",
        "Endpoint",
        "Substance",
    }
)
# Kept and shown on the record page, left out of default retrieval: they repeat clinical facts for billing.
ADMINISTRATIVE = frozenset(
    {
        "Account",
        "AuditEvent",
        "Claim",
        "ClaimResponse",
        "Contract",
        "CoverageEligibilityRequest",
        "CoverageEligibilityResponse",
        "ExplanationOfBenefit",
        "Invoice",
        "PaymentNotice",
        "PaymentReconciliation",
        "Provenance",
        "SupplyDelivery",
        "SupplyRequest",
    }
)
# How a reader calls each type, singular: "MedicationRequest" is an order, not an intake.
SPOKEN = {
    "AllergyIntolerance": "Allergy",
    "CarePlan": "Care plan",
    "CareTeam": "Care team",
    "DiagnosticReport": "Report",
    "DocumentReference": "Document",
    "ExplanationOfBenefit": "Explanation of benefit",
    "FamilyMemberHistory": "Family history",
    "ImagingStudy": "Imaging study",
    "MedicationAdministration": "Medication given",
    "MedicationDispense": "Medication dispensed",
    "MedicationRequest": "Medication prescribed",
    "MedicationStatement": "Medication reported",
    "ServiceRequest": "Order",
    "SupplyDelivery": "Supply delivered",
}


def spoken(resource_type: str) -> str:
    """The reader's word for a resource type; CamelCase split into words for the rest."""
    if resource_type in SPOKEN:
        return SPOKEN[resource_type]
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in resource_type).strip()
    return words.capitalize()
