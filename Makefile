# Everything that one does with this repository. `make` lists the targets.

VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
# The first of these that runs and is new enough (a name on PATH may be an empty shim).
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# Text that Spark hands on is encoded by the same code as any other: one file of whole jobs is enough.
ENCODING_TESTS := tests/chunkers tests/promises tests/benchmarks tests/test_reported_faults.py tests/jobs/test_job.py

.DEFAULT_GOAL := help
.PHONY: help setup run test test-without-gigatoken test-lowest test-every-spark test-cluster test-corpora \
	lint types format docs-check build archive bench rivals clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-24s%s\n", $$1, $$2}'

setup: $(VENV)/ready ## Make .venv with everything needed, Java too (PYTHON=... chooses the interpreter)

run: setup ## Chunk this repository's own pages and show a few chunks
	$(BIN)/python -m tools.pack_pages out/pages.parquet
	$(BIN)/chunkmill run conf/pages.yaml
	$(BIN)/python -m tools.show_chunks "$$($(BIN)/chunkmill current conf/pages.yaml --path)"

test: setup ## Run the tests (all but clusters, whole corpora and browsers)
	$(BIN)/pytest -n 2 --dist loadgroup

test-without-gigatoken: setup ## Run the tests of what encodes with gigatoken hidden: tiktoken does it
	PYTHONPATH=tests/without_gigatoken $(BIN)/pytest -n 2 --dist loadgroup $(ENCODING_TESTS)

test-lowest: $(LOWEST)/ready ## Run the tests with the oldest supported Python, Spark and libraries
	$(LOWEST)/bin/pytest -n 2 --dist loadgroup --ignore tests/test_packaging.py

test-every-spark: ## Run the main path on every supported Spark and Python, each in an environment of its own
	$(PYTHON) -m tools.every_spark

test-cluster: setup ## Run the tests that start a standalone cluster or a Spark Connect server
	@$(call test_marked,cluster)

test-corpora: setup ## Run the promises on every document of ../shared/corpora
	@$(call test_marked,corpora)

lint: setup ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## Check types
	$(BIN)/mypy

format: setup ## Mend style and formatting
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs-check: setup ## Check that the generated pages are current
	$(BIN)/python -m jobs.reference --check

build: setup ## Build the wheel, the sdist and dist/chunkmill-jobs.zip (for --py-files)
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	cp dist/chunkmill-*.whl dist/chunkmill-jobs.zip

archive: build ## Build dist/environment.tar.gz too (for --archives; EXTRAS=huggingface puts an extra in)
	$(BIN)/python -m tools.pack_environment dist/chunkmill-*.whl dist/environment.tar.gz $(EXTRAS)

bench: setup ## Measure the figures of docs/performance.md
	$(BIN)/python -m benchmarks

rivals: setup ## Measure the figures of docs/comparison.md beside other libraries, installed in .venv-rivals
	$(BIN)/python -m benchmarks rivals

clean: ## Remove everything that was made
	rm -rf $(VENV) $(LOWEST) .venv-spark-* .venv-rivals build dist out spark-warehouse .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/ready: pyproject.toml
	@$(call check_python)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

# The oldest libraries know no younger Python than this.
$(LOWEST)/ready: pyproject.toml tools/lowest.py
	rm -rf $(LOWEST)
	python3.11 -m venv $(LOWEST)
	$(LOWEST)/bin/python tools/lowest.py pyproject.toml > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --upgrade pip
	$(LOWEST)/bin/python -m pip install --quiet --constraint $(LOWEST)/constraints.txt --editable '.[test]'
	@touch $@

define check_python
test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "chunkmill needs Python 3.11 or newer, found: $(or $(PYTHON),none on PATH). Name one: make setup PYTHON=python3.12" >&2; \
	exit 1; }
endef

# pytest exits with 5 when no test is marked so.
define test_marked
$(BIN)/pytest -m $(1); code=$$?; \
	if [ $$code -eq 5 ]; then echo "no test is marked $(1)"; else exit $$code; fi
endef
