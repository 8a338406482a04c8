"""Devices: a device known only by its UDI is called a device and its UDI is shown; the UDI is no concept."""

from __future__ import annotations

from core.fhir.render.generic import Renderer, body, headline
from core.fhir.render.parts import full_names
from core.models import Facts


def concept(facts: Facts) -> str:
    return f"Device: {full_names(facts)}" if facts.names else "Device"


RENDERER = Renderer(headline, body, concept)
