# Everything a fresh clone needs is Python 3.11 or newer, git and make. `make demo` and `make test` set up the rest.

PYTHON ?= python3
VENV ?= .venv
# Tests in parallel, `make test JOBS=0` for one process.
JOBS ?= auto
# More words for pytest: `make test ARGS="tests/store -k undo"`.
ARGS ?=

BIN := $(VENV)/bin
# Set up again when what is to be installed has changed.
READY := $(VENV)/.ready

.PHONY: demo setup test soak test-clients lint types bench screenshots docs lock clean help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: $(READY) ## review what sample transcripts taught, on a throw-away store
	@$(BIN)/curate demo

setup: $(READY) ## install what is locked into $(VENV)

test: $(READY) ## run the tests
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

test-clients: $(READY) ## run real coding agents against a scripted model; fetches them first, 2.9 GB
	$(BIN)/python -m pytest -m clients tests/agents $(ARGS)

soak: $(READY) ## random work for minutes
	$(BIN)/python -m pytest -m soak $(ARGS)

lint: $(READY) ## style, format, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY) ## check the types
	$(BIN)/mypy

bench: $(READY) ## measure, and print ratios
	@for file in tests/bench/bench_*.py; do \
		name=$$(basename $$file .py); echo "== $$name"; $(BIN)/python -m tests.bench.$$name || exit 1; \
	done

screenshots: $(READY) ## draw screenshots/ anew from the real app
	$(BIN)/python scripts/screenshots.py

docs: $(READY) ## write the help texts in docs/cli.md anew
	$(BIN)/python scripts/cli_docs.py

lock: ## resolve requirements.lock anew from pyproject.toml
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet uv
	$(VENV)-lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-header --no-emit-index-url --no-emit-find-links --extra web --extra serve --extra mcp --extra qdrant --group build --group dev pyproject.toml \
		--output-file requirements.lock
	rm -rf $(VENV)-lock

clean: ## forget the virtual environment and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: $(PYTHON) is older than Python 3.11; name a newer one: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $(READY)
