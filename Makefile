# `make demo` and `make test` set up what they need in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CORE   := $(VENV)/.core
READY  := $(VENV)/.ready
JOBS   ?= 2
# The machine's own pip sets up what it can: a copy in .venv would be most of its size.
NEW    := $(PYTHON) -m pip --python $(BIN)/python --version >/dev/null 2>&1
PIP    := if $(NEW); then set -- $(PYTHON) -m pip --python $(BIN)/python; \
          else $(BIN)/python -m ensurepip >/dev/null; set -- $(BIN)/python -m pip; fi; \
          "$$@" install --quiet --disable-pip-version-check --no-input

.PHONY: demo test quick lint libraries agreement cluster clean

$(CORE): pyproject.toml  ## Knower and what it needs
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PIP) -e .
	touch $(CORE)

$(READY): $(CORE)  ## the developers' tools as well
	$(PIP) -e '.[dev]'
	touch $(READY)

demo: $(CORE)  ## a model, its verdicts, and a question of our own
	$(BIN)/knower check examples/bit_transmission.ispl || test $$? = 1  # 1: some formulas are false
	$(BIN)/knower check examples/bit_transmission.ispl \
	  --formula "AG (ack_received -> K(Sender, bit_received))"

lint: $(READY)
	$(BIN)/ruff check --no-cache src tests examples benchmarks
	$(BIN)/ruff format --no-cache --check src tests examples benchmarks
	$(BIN)/mypy

test: lint  ## everything that must be green, in under twenty minutes
	$(BIN)/python -m pytest -n $(JOBS) -q

quick: lint  ## before every commit: a selection of the tests with few random cases, in under two minutes
	KNOWER_EXAMPLES=0.1 $(BIN)/python -m pytest -n $(JOBS) -q -m "not slow"

libraries: $(READY)  ## all tests with each library of decision diagrams alone
	KNOWER_BDD=oxidd $(BIN)/python -m pytest -n $(JOBS) -q
	KNOWER_BDD=cudd $(BIN)/python -m pytest -n $(JOBS) -q

agreement: $(READY)  ## the same random tests with many more and other cases (about an hour)
	KNOWER_RANDOM=1 KNOWER_EXAMPLES=25 $(BIN)/python -m pytest -n $(JOBS) -q tests/cli/test_bad_input.py
	KNOWER_RANDOM=1 KNOWER_EXAMPLES=50 $(BIN)/python -m pytest -n $(JOBS) -q tests/agreement tests/reference \
	  tests/syntax tests/logic

cluster: $(READY)  ## bounded checking on clusters of processes
	KNOWER_CLUSTER=1 $(BIN)/python -m pytest -q tests/cluster

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
