"""The arrows of the design: what each part may import. A wrong import fails here with its file and line."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATABASE, MODELS = {"psycopg", "psycopg_pool", "pgvector"}, {"litellm", "sentence_transformers", "torch"}
# folder -> prefixes it must not import
FORBIDDEN = {
    "core": {"app", "streamlit"},
    "core/fhir": {
        *DATABASE,
        *MODELS,
        "core.retrieval",
        "core.generation",
        "core.grounding",
        "core.database",
        "core.pipeline",
    },
    "core/grounding": {
        *DATABASE,
        *MODELS,
        "core.retrieval",
        "core.generation",
        "core.database",
        "core.pipeline",
    },
    "core/retrieval": {*MODELS, "core.generation", "core.grounding", "core.pipeline"},
    "core/generation": {*DATABASE, "core.grounding", "core.pipeline"},
    "core/ingestion": {"core.retrieval", "core.generation", "core.grounding", "core.pipeline"},
    "app": {*DATABASE, *MODELS, "core.database", "core.ingestion", "core.generation"},
}
# The one door to Streamlit from the command line: `run` starts it.
ALLOWED = {("core/cli/running.py", "streamlit")}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def under(name: str, prefixes: set[str]) -> bool:
    return any(name == p or name.startswith(f"{p}.") for p in prefixes)


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_dependencies_point_one_way(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name in imports(path)
        if under(name, FORBIDDEN[folder]) and (str(path.relative_to(ROOT)), name.split(".")[0]) not in ALLOWED
    ]
    assert wrong == []


def test_the_folders_named_here_exist() -> None:
    assert all((ROOT / folder).is_dir() for folder in FORBIDDEN)


def test_every_direct_dependency_has_its_reason_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pinned = re.findall(
        r"^([a-z0-9-]+)(?:\[[^\]]*\])?==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M
    )
    assert len(pinned) > 10
    table = " ".join(line for line in readme.splitlines() if line.startswith("| "))
    assert [name for name in pinned if not re.search(rf"\b{re.escape(name)}\b", table)] == []


def test_every_command_is_in_the_readme() -> None:
    source = (ROOT / "core/cli/app.py").read_text(encoding="utf-8")
    commands = re.findall(r"@app\.command\((?:\"([a-z-]+)\")?[^)]*\)\ndef ([a-z_]+)\(", source)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(commands) >= 7
    assert [n or f for n, f in commands if f"python -m core {n or f}" not in readme] == []


def test_every_link_of_the_readme_leads_somewhere() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = [t for t in re.findall(r"\]\(([^)]+)\)", readme) if not t.startswith("http")]
    assert len(targets) > 5
    assert [t for t in targets if not (ROOT / t.split("#")[0]).exists()] == []


def test_the_repository_speaks_of_the_product_alone() -> None:
    forbidden = re.compile(
        r"/(?:work|root|farm)/|\bsub-?agent|registry\.npmjs|pypi\.org|pythonhosted|deb\.debian", re.I
    )
    suffixes = {".py", ".md", ".yaml", ".yml", ".toml", ".txt", ".sql", ".jinja2", ".css", ".js"}
    files = [
        p
        for folder in ("app", "core", "db", "docs", "data", "tests", ".streamlit")
        for p in (ROOT / folder).rglob("*")
        if p.suffix in suffixes and p != Path(__file__)
    ]
    wrong = [
        f"{p.relative_to(ROOT)}"
        for p in files
        if forbidden.search(p.read_text(encoding="utf-8", errors="replace"))
    ]
    assert wrong == []
