"""ChartCite answers a question from one patient's FHIR R4 record, with citations a verifier has checked."""

__version__ = "0.1.0"
