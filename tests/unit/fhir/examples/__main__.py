"""Record the examples anew."""

from tests.unit.fhir.examples import record

record()
