"""What is deployed is safe by default, and no setting, option or command is unknown or undocumented."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import AliasChoices, TypeAdapter
from streamlit import config as streamlit_config

from core.config import Settings

ROOT = Path(__file__).resolve().parents[2]
TOOLS = Path(sys.executable).parent
NOT_OURS = {
    # Read by PostgreSQL's image and libpq, and by Streamlit itself.
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "POSTGRES_INITDB_ARGS",
    "PGPASSWORD",
    "STREAMLIT_SERVER_ALLOWED_HOSTS",
}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())


@pytest.fixture(scope="module")
def streamlit_options() -> dict[str, Any]:
    def flatten(table: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
        for name, value in table.items():
            if isinstance(value, dict):
                yield from flatten(value, f"{prefix}{name}.")
            else:
                yield f"{prefix}{name}", value

    return dict(flatten(tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())))


def settings_variables() -> dict[str, str]:
    """Environment variable of each setting -> its field. The first alias is the documented one."""
    variables = {}
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        if isinstance(alias, AliasChoices):
            variables[str(alias.choices[0])] = name
        else:
            variables[str(alias or f"CHARTCITE_{name}").upper()] = name
    return variables


# The environment


def test_every_setting_is_in_the_example_environment_and_every_example_is_a_setting() -> None:
    example = (ROOT / ".env.example").read_text()
    assert set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", example, re.MULTILINE)) - NOT_OURS == set(
        settings_variables()
    )


def test_the_example_environment_shows_the_defaults() -> None:
    example = (ROOT / ".env.example").read_text()
    for variable, name in settings_variables().items():
        shown = re.search(rf"^#? ?{variable}=(.*)$", example, re.MULTILINE)
        assert shown is not None, variable
        default = Settings.model_fields[name].default
        if variable != "DATABASE_URL":  # shows the form of a URL
            assert TypeAdapter(type(default)).validate_python(shown[1]) == default, variable


def test_every_variable_of_the_compose_file_is_a_setting(compose: dict[str, Any]) -> None:
    used = {name for service in compose["services"].values() for name in service.get("environment", {})}
    used |= set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert used - NOT_OURS - set(settings_variables()) == set()


# docker compose


def test_the_compose_file_follows_the_compose_specification() -> None:
    checked = subprocess.run(
        [TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", ROOT / "docker-compose.yml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_app_container_has_no_more_rights_than_it_needs(compose: dict[str, Any]) -> None:
    app = compose["services"]["app"]
    assert app["read_only"] is True
    assert app["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in app["security_opt"]
    assert not app["user"].startswith(("0", "root"))
    assert app["ports"] == ["127.0.0.1:8501:8501"]
    assert [mount for mount in app["volumes"] if not mount.endswith(":ro")] == []
    assert "privileged" not in app


def test_the_app_waits_for_a_healthy_database_that_only_it_can_reach(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["app"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    assert all("healthcheck" in service for service in services.values())
    assert "ports" not in services["db"]
    assert services["db"]["image"].startswith("pgvector/pgvector:")
    assert services["db"]["volumes"][0].split(":")[0] in compose["volumes"]


def test_no_password_has_a_default(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for name, value in service["environment"].items():
            if "PASSWORD" in name:
                assert re.match(r"\$\{POSTGRES_PASSWORD:\?", value), name
    assert re.search(r"^POSTGRES_PASSWORD=$", (ROOT / ".env.example").read_text(), re.MULTILINE)


def test_the_host_names_are_in_the_form_streamlit_reads_from_the_environment(compose: dict[str, Any]) -> None:
    """Streamlit splits the variable at spaces; one name with commas in it would refuse every session."""
    names = compose["services"]["app"]["environment"]["STREAMLIT_SERVER_ALLOWED_HOSTS"]
    assert names == "${STREAMLIT_SERVER_ALLOWED_HOSTS:-localhost 127.0.0.1}"


# Dockerfile


def test_the_dockerfile_passes_its_linter() -> None:
    linted = subprocess.run(
        [TOOLS / "hadolint", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_the_image_runs_as_an_ordinary_user_and_reports_its_health() -> None:
    text = (ROOT / "Dockerfile").read_text()
    users = re.findall(r"^USER (\S+)", text, re.MULTILINE)
    assert users
    assert users[-1] not in ("root", "0")
    assert re.search(r"^HEALTHCHECK ", text, re.MULTILINE)
    assert "/_stcore/health" in text
    assert json.loads(re.findall(r"^CMD (.*)$", text, re.MULTILINE)[-1])[:3] == ["python", "-m", "core"]


def test_everything_the_image_copies_is_sent_to_the_builder() -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(\S+) ", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for path in copied:
        assert path in sent or any(name.startswith(f"{path}/") for name in sent), path
        assert (ROOT / path).exists(), path


# Streamlit


def test_streamlit_knows_every_option(streamlit_options: dict[str, Any]) -> None:
    streamlit_config.get_config_options()
    known = set(streamlit_config._config_options_template)
    assert set(streamlit_options) - known == set()


def test_the_dashboard_is_local_quiet_and_says_nothing_about_its_insides(
    streamlit_options: dict[str, Any],
) -> None:
    required = {
        "server.address": "127.0.0.1",
        "server.port": 8501,
        "server.headless": True,
        "server.enableCORS": True,
        "server.enableXsrfProtection": True,
        "server.enableStaticServing": False,
        "server.enableAgentApi": False,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "client.toolbarMode": "minimal",
        "client.disableDataExport": True,
    }
    assert {name: streamlit_options.get(name) for name in required} == required
    assert streamlit_options["server.maxUploadSize"] <= 1
    assert "*" not in streamlit_options["server.allowedHosts"]
    assert streamlit_options["server.allowedHosts"]


def test_no_font_or_style_comes_from_elsewhere() -> None:
    assert "://" not in (ROOT / ".streamlit" / "config.toml").read_text()


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["theme.light", "theme.dark"])
def test_every_text_colour_is_readable_on_both_backgrounds(
    theme: str, streamlit_options: dict[str, Any]
) -> None:
    backgrounds = [
        streamlit_options[f"{theme}.{name}"] for name in ("backgroundColor", "secondaryBackgroundColor")
    ]
    texts = [
        name
        for name in streamlit_options
        if re.fullmatch(rf"{re.escape(theme)}\.(textColor|linkColor|\w+TextColor)", name)
    ]
    assert len(texts) >= 5
    for name in texts:
        for background in backgrounds:
            assert contrast(streamlit_options[name], background) >= 4.5, (name, background)


@pytest.mark.parametrize("theme", ["theme.light", "theme.dark"])
def test_a_primary_button_is_seen_and_its_white_text_read(
    theme: str, streamlit_options: dict[str, Any]
) -> None:
    primary = streamlit_options[f"{theme}.primaryColor"]
    assert contrast(primary, "#ffffff") >= 4.5
    assert contrast(primary, streamlit_options[f"{theme}.backgroundColor"]) >= 3


@pytest.mark.parametrize("theme", ["theme.light", "theme.dark"])
def test_every_chart_colour_stands_out(theme: str, streamlit_options: dict[str, Any]) -> None:
    for colour in streamlit_options[f"{theme}.chartCategoricalColors"]:
        assert contrast(colour, streamlit_options[f"{theme}.backgroundColor"]) >= 3, colour


# Packages


def requirements(name: str) -> list[str]:
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [line for line in lines if line]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_package_is_pinned_exactly_once(name: str) -> None:
    packages = []
    for line in requirements(name):
        pinned = re.fullmatch(r"([A-Za-z0-9_.-]+)(\[[a-z,]+\])?==[0-9][0-9A-Za-z.]*", line)
        assert pinned, line
        packages.append(pinned[1].lower())
    assert packages == sorted(set(packages))


def test_no_compromised_release_is_pinned() -> None:
    (litellm,) = (line for line in requirements("requirements.txt") if line.startswith("litellm=="))
    version = litellm.removeprefix("litellm==")
    assert version not in ("1.82.7", "1.82.8")
    assert not version.startswith("1.107.")


# make


def test_make_help_tells_every_target_meant_for_people() -> None:
    text = (ROOT / "Makefile").read_text()
    shown = subprocess.run(
        ["make", "-s", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MAKEFLAGS": ""},
    ).stdout
    targets = set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE)) - {"dev", "browser", "check-python"}
    assert targets >= {"help", "install", "run", "test", "lint", "typecheck", "bench", "clean"}
    assert {target for target in targets if f"make {target} " not in shown} == set()
    for variable in ("PORT", "PYTHON", "TORCH_INDEX_URL"):
        assert f"{variable}=" in shown


def test_continuous_integration_runs_make_test_and_nothing_else() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "set -euo pipefail" in script
    commands = [line for line in script.splitlines() if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_bootstrap_needs_nothing_installed() -> None:
    checked = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "core" / "bootstrap.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 2
    assert checked.stderr.startswith("usage: ")
