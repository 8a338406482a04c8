"""Every setting, documented once: read from the environment (prefix CHARTCITE_ unless named otherwise) or a .env file.

No setting turns verification off.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import ConfigurationError


class Settings(BaseSettings):
    """ChartCite's settings. Each field's description is its documentation."""

    model_config = SettingsConfigDict(
        env_prefix="CHARTCITE_", env_file=".env", extra="ignore", populate_by_name=True
    )

    database_url: str = Field(
        default="",
        validation_alias=AliasChoices("DATABASE_URL", "CHARTCITE_DATABASE_URL"),
        description="A PostgreSQL 15+ with pgvector 0.7+; empty starts the embedded server in CHARTCITE_HOME.",
    )
    home: Path = Field(
        default=Path("~/.local/share/chartcite"), description="Where the embedded PostgreSQL keeps its data."
    )
    pool_size: int = Field(default=8, ge=1, le=100, description="Database connections held by one process.")
    answerer: str = Field(
        default="record",
        pattern="^(record|llm)$",
        description="Who answers by default: record (computed, no model) or llm.",
    )
    llm_model: str = Field(
        default="",
        validation_alias=AliasChoices("LLM_MODEL", "CHARTCITE_LLM_MODEL"),
        description="A litellm model name, e.g. anthropic/…, openai/…, ollama/…; empty means no model is used.",
    )
    llm_api_base: str = Field(
        default="",
        validation_alias=AliasChoices("LLM_API_BASE", "CHARTCITE_LLM_API_BASE"),
        description="Base URL of an OpenAI-compatible server, when it is not the provider's own.",
    )
    llm_timeout_seconds: float = Field(default=60.0, gt=0, description="How long one model call may take.")
    llm_max_tokens: int = Field(
        default=1200, ge=64, description="Upper bound of a model's answer, in tokens."
    )
    context_tokens: int = Field(
        default=6000, ge=500, description="Token budget of the evidence given to a model."
    )
    fhir_token: SecretStr = Field(
        default=SecretStr(""),
        description="Bearer token sent to the FHIR server that `ingest URL` reads from, and to no other.",
    )
    fhir_timeout_seconds: float = Field(
        default=60.0, gt=0, description="How long a FHIR server may take to answer."
    )
    model_path: str = Field(
        default="", description="A directory with all-MiniLM-L6-v2 weights; empty uses the packaged ones."
    )
    retrieve_limit: int = Field(
        default=50, ge=10, le=500, description="How many resources a question may retrieve."
    )
    max_reference_hops: int = Field(
        default=1, ge=0, le=3, description="How far references are followed from evidence."
    )
    max_question_characters: int = Field(
        default=2000, ge=100, description="Longer questions are refused, not cut."
    )
    user: str = Field(default="local", description="Who is written to the audit trail when nobody signs in.")
    user_header: str = Field(
        default="",
        description="The request header in which a proxy with sign-in names the user, e.g. X-Forwarded-User; with it, a "
        "request without a name is shown nothing. Only behind a proxy that sets the header itself.",
    )
    uploads: bool = Field(
        default=False, description="Whether records may be loaded in the browser, on the Data page."
    )


def load_settings() -> Settings:
    """Read the settings; raises ConfigurationError naming the variable that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(
            f"Setting {name}: {first['msg']}. Correct it in the environment or in .env."
        ) from None
