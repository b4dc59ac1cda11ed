# Every command builds the environment that it needs, from python3 (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal
TESTS ?= not heavy
# Folders that `make quick` leaves out. If you change one of them, run its tests.
LONG := spec/proofs $(addprefix impl/,measurement engines/exact sources) \
  $(addprefix conformance/,requirements mutants games report wire vectors subjects/libraries scoreboard)
ENVIRONMENTS := build/environments
EXTRAS := conformance,dask,evaluate,exact,prove,sources
MINIMUM := $(ENVIRONMENTS)/minimum
MINIMUM_EXTRAS := conformance,dask,evaluate,exact,prove,sources,spark
OLD_OPENDP := $(ENVIRONMENTS)/opendp-0.15.1
SMARTNOISE := $(ENVIRONMENTS)/smartnoise
ORACLE := $(BIN)/privtopk-conformance
SUBJECTS = $$($(BIN)/python -m privtopk.impl.subjects)
SELECTORS = $$($(BIN)/python -m privtopk.impl.subjects selectors)
ONE_DOOR := $(addprefix python:privtopk.conformance.mutants.right.bases:,right_scan right_random_scan)

.DEFAULT_GOAL := help
.PHONY: help $(VENV) conform play mutants calibrate scoreboard test test-python test-minimum test-all \
  quick check unit prove fuzz bench bench-sources soak evaluate docs architecture pages picture vectors dist clean

help: ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(VENV): $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "privtopk needs Python 3.11 or newer, found " + sys.version.split()[0])'
	@echo 'making the environment $(VENV), which takes a few minutes the first time'
	$(PYTHON) -m venv $(VENV)
	$(PIP) 'pip>=25.1'
	$(PIP) --editable '.[$(EXTRAS)]' --group dev
	@touch $@

conform: $(VENV) ## the main job: run the oracle on all our engines, with reports in build/conformance
	$(ORACLE) run $(SUBJECTS) --jobs 2 --reports build/conformance

play: $(VENV) ## play lower-bound games with all our selectors, and with a scan through either door
	$(ORACLE) play $(SELECTORS) $(ONE_DOOR) --jobs 2

mutants: $(VENV) ## check that the oracle fails every wrong implementation that it has
	$(ORACLE) mutants --jobs 2

calibrate: $(VENV) ## run right subjects a thousand times and count the false alarms of the oracle
	$(ORACLE) calibrate $(SUBJECTS) --jobs 2 --runs 1000 --budget 0.02

build/examples/subject: $(VENV)/.compiler $(wildcard conformance/examples/c/*.[ch])
	@mkdir -p $(@D)
	cc -std=c17 -O2 -o $@ conformance/examples/c/*.c -lm

scoreboard: $(VENV)/.libraries $(OLD_OPENDP)/.ready $(SMARTNOISE)/.ready build/examples/subject ## run the oracle on other libraries and write docs/reference/scoreboard.md
	$(ORACLE) scoreboard --jobs 2 --pages docs/reference/scoreboard.md build/scoreboard.html

prove: $(VENV) ## check every claim: CrossHair, exact arithmetic, z3, sympy, Arb, Coq, seeded bugs
	$(BIN)/python -m privtopk.spec

check: $(VENV) ## run ruff, mypy --strict, import-linter and vulture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/vulture

unit: $(VENV) ## run unit and property tests
	$(PYTEST) $(PYTEST_ARGS) -m '$(TESTS)'

quick: $(VENV) ## run the fast tests and checks, under a minute
	$(PYTEST) -q -m 'not slow' $(addprefix --ignore=tests/,$(LONG)) --hypothesis-profile=quick
	$(BIN)/python -m privtopk.spec --quick

test: check unit prove ## run everything that needs no server

test-python: ## run make test with another interpreter: PYTHON=python3.12
	@for one in $(PYTHON) "$$(pyenv root 2>/dev/null)"/versions/*/bin/$(PYTHON); do \
	  if "$$one" -c '' 2>/dev/null; then found="$$one"; fi; \
	done; \
	if [ -z "$$found" ]; then echo "skipped: $(PYTHON) is neither on the PATH nor under pyenv"; exit 0; fi; \
	$(MAKE) test PYTHON="$$found" VENV=$(ENVIRONMENTS)/$(notdir $(PYTHON))

test-minimum: $(MINIMUM)/.ready ## run the fast tests of the engines with the oldest packages that are declared
	$(MINIMUM)/bin/python -m pytest -n auto -q -m 'not slow and not heavy' -W default::DeprecationWarning \
	  -p no:cacheprovider tests/impl

test-all: $(VENV)/.browser $(VENV)/.compiler $(VENV)/.coq $(VENV)/.docs $(VENV)/.fuzz $(VENV)/.servers $(VENV)/.spark $(VENV)/.types $(VENV)/.libraries $(MINIMUM)/.ready $(OLD_OPENDP)/.ready ## install what is missing, run make test, and fail if a test is skipped
	$(MAKE) test PYTEST_ARGS=--forbid-skips TESTS=

$(VENV)/.browser: $(VENV)/.ready
	$(PIP) --group browser
	command -v chromium >/dev/null || { apt-get update -qq && apt-get install -qq -y chromium >/dev/null; }
	command -v node >/dev/null || { apt-get update -qq && apt-get install -qq -y nodejs >/dev/null; }
	@touch $@

$(VENV)/.compiler: $(VENV)/.ready
	command -v cc >/dev/null || { apt-get update -qq && apt-get install -qq -y gcc libc6-dev >/dev/null; }
	@touch $@

$(VENV)/.fuzz: $(VENV)/.ready
	$(PIP) --group fuzz
	@touch $@

$(VENV)/.coq: $(VENV)/.ready
	ls -d "$$(coqc -where 2>/dev/null)/user-contrib/mathcomp/zify" >/dev/null 2>&1 || { apt-get update -qq && apt-get install -qq -y coq \
	  libcoq-mathcomp-algebra libcoq-mathcomp-fingroup libcoq-mathcomp-ssreflect libcoq-mathcomp-zify >/dev/null; }
	@touch $@

$(VENV)/.types: $(VENV)/.ready
	$(PIP) --group types
	@touch $@

fuzz: $(VENV)/.fuzz ## try a million hostile messages, files and command lines, in a quarter of an hour
	$(BIN)/python tests/fuzz $(FUZZ_ARGS)

bench: $(VENV)/.bench ## measure the engines against their targets, as ratios in one run
	$(BIN)/privtopk bench $(BENCH_ARGS)

bench-sources: $(VENV)/.bench $(VENV)/.servers $(VENV)/.spark ## measure the databases against fetching all scores
	$(BIN)/privtopk bench --sources $(BENCH_ARGS)

soak: $(VENV)/.ready $(VENV)/.servers ## select for ten minutes while databases are written to, killed and restarted
	$(BIN)/python -m privtopk.impl.measurement.soak $(SOAK_ARGS)

evaluate: $(VENV) ## measure costs against every proven bound, and write the page in docs/explanation
	$(BIN)/privtopk evaluate --folder build/evaluation --pages docs/explanation

$(VENV)/.servers: $(VENV)/.ready
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	  { apt-get update -qq && apt-get install -qq -y postgresql >/dev/null; }
	command -v redis-server >/dev/null || { apt-get update -qq && apt-get install -qq -y redis-server >/dev/null; }
	@touch $@

$(VENV)/.spark: $(VENV)/.ready
	$(PIP) --editable '.[spark]'
	command -v java >/dev/null || { apt-get update -qq && apt-get install -qq -y default-jre-headless >/dev/null; }
	@touch $@

$(VENV)/.bench: $(VENV)/.ready
	$(PIP) --editable '.[bench]'
	@touch $@

$(VENV)/.libraries: $(VENV)/.ready
	$(PIP) --editable '.[libraries]'
	@touch $@

# The oldest declared version of every package, in one environment. The libraries that the benchmark and
# the scoreboard compare with are left out: they need newer versions of what others need.
$(MINIMUM)/.ready: pyproject.toml tests/minimum_versions.py
	$(PYTHON) -m venv $(@D)
	$(PYTHON) tests/minimum_versions.py > $(@D)/constraints.txt
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(@D)/constraints.txt \
	  --editable '.[$(MINIMUM_EXTRAS)]' mpmath pandas polars pytest pytest-xdist
	@touch $@

# The last release of OpenDP whose deprecated noisy max returns the worst item.
$(OLD_OPENDP)/.ready: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[conformance]' opendp==0.15.1
	@touch $@

# SmartNoise needs an older OpenDP. Its synthesizers need PyTorch too; its selection does not.
$(SMARTNOISE)/.ready: pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[conformance]' smartnoise-sql Faker
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps smartnoise-synth
	@touch $@

docs: pages $(VENV)/.docs ## write the generated pages and build the site in build/site; a warning is an error
	$(BIN)/python -m sphinx -W -n --keep-going -q -b html -d build/doctrees docs build/site
	@echo "open build/site/index.html"

architecture: pages ## check, print and draw the layers of every package
	$(BIN)/lint-imports
	$(BIN)/python docs/generate/layers.py

pages: $(VENV) ## write the generated pages and pictures only
	$(BIN)/python -m privtopk.spec --write-docs docs
	$(ORACLE) list --markdown > docs/reference/requirements.md
	$(BIN)/python docs/generate docs

$(VENV)/.docs: $(VENV)/.ready
	$(PIP) --group docs
	@touch $@

picture: $(VENV)/.browser ## take the picture of a report in README.md, with Chromium
	$(BIN)/python docs/generate/screenshot.py README.md docs/images

vectors: $(VENV) ## write the test vectors that the package ships
	$(ORACLE) vectors conformance/privtopk/conformance/vectors/data

dist: $(VENV) ## build the sdist, and the wheel from it, in dist
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist
	$(BIN)/python -m twine check --strict dist/*

clean: ## remove the environment and every cache
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find spec impl conformance tests -name __pycache__ -prune -exec rm -rf {} +
