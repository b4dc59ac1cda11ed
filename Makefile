# Every command builds its own environment: python3 (3.11 or newer) and make are all it takes.
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help .venv conform test test-all quick check unit prove bench docs clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv: .venv/.ready

.venv/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "privtopk needs Python 3.11 or newer, found " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

conform: prove ## the main job; until the oracle exists, it runs the claims

prove: .venv ## run every claim: CrossHair, exact arithmetic, z3, sympy, Arb, seeded bugs
	$(BIN)/python -m privtopk.spec

check: .venv ## ruff, mypy --strict, import-linter
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: .venv ## unit and property tests
	$(PYTEST) $(PYTEST_ARGS)

quick: .venv ## the inner loop, under a minute
	$(PYTEST) -q -m 'not slow' --ignore=tests/spec/proofs --hypothesis-profile=quick
	$(BIN)/python -m privtopk.spec --quick

test: check unit prove ## everything that needs no server

test-all: ## make test, and no test may be skipped
	$(MAKE) test PYTEST_ARGS=--forbid-skips

bench: .venv/.bench ## every number that the engines promise, as ratios in one run
	$(BIN)/privtopk bench $(BENCH_ARGS)

.venv/.bench: .venv/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

docs: .venv ## write the generated pages: claims and errata
	$(BIN)/python -m privtopk.spec --write-docs docs

clean: ## remove the environment and every cache
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
