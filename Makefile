# ChartCite. `make` alone says what there is; CONTRIBUTING.md says more.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help install run test lint typecheck bench clean check-python dev browser

PORT ?= 8501
TORCH_INDEX_URL ?=
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

export TORCH_INDEX_URL

VENV := .venv/bin/python
BOOTSTRAP = "$(PYTHON)" -I core/bootstrap.py
# Two cores are shared with the tests' PostgreSQL and browser: idle OpenMP threads must not spin.
TEST_ENV := OMP_WAIT_POLICY=PASSIVE OMP_NUM_THREADS=2 TOKENIZERS_PARALLELISM=false HF_HUB_OFFLINE=1

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  PORT=8501             where the dashboard listens (make run PORT=8600)"
	@echo "  PYTHON=python3.12     the Python 3.11+ to use; found by itself otherwise"
	@echo "  TORCH_INDEX_URL=URL   an extra package index for torch. On Linux, this one has the CPU build,"
	@echo "                        1.4 GB instead of 5.8 GB: https://download.pytorch.org/whl/cpu"

install: check-python ## Make .venv and install what ChartCite runs on
	@$(BOOTSTRAP) install

run: install ## Start everything and serve the dashboard on http://127.0.0.1:8501
	@exec $(VENV) -m core run --port "$(PORT)"

test: dev browser ## Lint, check types and run all tests
	@$(VENV) -m ruff check .
	@$(VENV) -m ruff format --check .
	@$(VENV) -m mypy
	@$(TEST_ENV) $(VENV) -m pytest $(PYTEST_ARGS)

lint: dev ## Check style and formatting
	@$(VENV) -m ruff check .
	@$(VENV) -m ruff format --check .

typecheck: dev ## Check types
	@$(VENV) -m mypy

bench: install ## Measure speed (CORPUS=folder), then answers and refusals on the evaluation questions
	@$(VENV) -m benchmarks.speed $(CORPUS)
	@$(VENV) -m benchmarks.dashboard
	@$(TEST_ENV) $(VENV) -m core evaluate

clean: ## Remove .venv and caches (the database in CHARTCITE_HOME stays)
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

dev: check-python
	@$(BOOTSTRAP) dev

browser: check-python
	@$(BOOTSTRAP) browser

check-python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "ChartCite needs Python 3.11 or newer and found none that works; install one, for example with" \
			"\`sudo apt-get install python3 python3-venv\`, or name it: make PYTHON=/path/to/python3" >&2; \
		exit 1; }
