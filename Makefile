# Everything that is done with this project.  `make help` lists it.
# Needs Python 3.11 or newer, and pip; the rest is installed into .venv on first use.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
BENCHED := $(VENV)/.benched
BROWSED := $(VENV)/.browsed
JOBS   ?= auto
BYTECODE := $(if $(PYTHONDONTWRITEBYTECODE),$(abspath $(VENV)/bytecode),$(PYTHONPYCACHEPREFIX))
MINUTES ?= 25
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help install play serve test quick test-browser lint format bench conformance mutants sanitize soak strength clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)$$/  make \1	\2/' | expand -t 20

# Reinstall only when the metadata or the list of packages may have changed.
$(STAMP): pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Python 3.11 or newer is needed, $(PYTHON) is {v[0]}.{v[1]}")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

install: $(STAMP) ## set up .venv

play: $(STAMP) ## play at the terminal; make play ARGS="wongar --lang de"
	@$(BIN)/wongar play $(or $(ARGS),wongar)

serve: $(STAMP) ## host a table for browsers; make serve ARGS="tongiaki --seats human,human,easy --lan"
	@$(BIN)/wongar serve $(or $(ARGS),wongar --seats human,human,human)

lint: $(STAMP) ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Both run in any case, so that one run shows everything that is wrong; the type checker, which has use for one core
# alone, beside the tests.  A file of tests stays in one process: what its tests share is made once.  Where bytecode is
# not wanted in the tree it is kept in $(VENV), for hundreds of programs are started.
test: export PYTHONPYCACHEPREFIX := $(BYTECODE)
test: export PYTHONDONTWRITEBYTECODE :=
test: $(STAMP) ## lint and every test; make test ARGS="-k parser" for some
	@said=$$(mktemp); \
	$(MAKE) --no-print-directory lint >$$said 2>&1 & linting=$$!; \
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder $(ARGS); tests=$$?; \
	wait $$linting; lint=$$?; cat $$said; rm -f $$said; \
	[ $$lint -eq 0 ] || echo "make lint failed, see above"; \
	[ $$lint -eq 0 ] && [ $$tests -eq 0 ]

# Tests of all layers that take little time, for use while working.
QUICK := tests/architecture/test_architecture.py tests/base tests/cli/test_show.py tests/compiler/ir \
	tests/compiler/lowering tests/diagnostics/test_wording.py tests/docs/test_pages.py \
	tests/engine/bots tests/engine/library tests/goldens tests/lab/charts \
	$(filter-out tests/engine/test_memory.py tests/engine/test_from_cache.py,$(wildcard tests/engine/test_*.py)) \
	tests/lab/test_inference.py tests/language/ast tests/language/checker tests/language/dataflow tests/language/parser \
	tests/language/semantics tests/language/server tests/nlg/diagnostic_text tests/render tests/session/test_seat_spec.py \
	tests/session/test_puzzle.py tests/session/test_migrate_save.py tests/web/test_join_and_startup.py \
	--ignore=tests/language/checker/test_work_budget.py --ignore=tests/language/parser/test_repairs.py

quick: export PYTHONPYCACHEPREFIX := $(BYTECODE)
quick: export PYTHONDONTWRITEBYTECODE :=
quick: $(STAMP) ## lint and the fast tests of all layers, in about a minute
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --quiet --check .
	@types=$$(mktemp); $(BIN)/mypy >$$types 2>&1 & typing=$$!; \
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile $(QUICK); tests=$$?; \
	wait $$typing; lint=$$?; cat $$types; rm -f $$types; [ $$lint -eq 0 ] && [ $$tests -eq 0 ]

$(BROWSED): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[browser]'
	@touch $@

test-browser: $(BROWSED) ## the table in a real browser; it installs Chromium where it can
	@browser=$$($(BIN)/python tools/browser.py) && \
	WONGAR_CHROMIUM="$$browser" $(BIN)/python -m pytest -n $(JOBS) tests/browser tests/journeys/test_in_the_browser.py $(ARGS)

format: $(STAMP) ## put the code into its layout
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .

# What it compares with is left out where it cannot be had.
$(BENCHED): $(STAMP)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

bench: $(BENCHED) ## measure, beside others; make bench ARGS=--quick, or ARGS=--write for docs/performance.md
	$(BIN)/python -m benchmarks $(ARGS)

conformance: $(STAMP) ## every game through the toolkits' own tests
	$(BIN)/python -m benchmarks.conformance $(ARGS)

mutants: $(STAMP) ## what the rule cases notice; make mutants ARGS="--game nim", or --sample 100 --seed 7, or --words
	$(BIN)/python -m benchmarks.mutants $(ARGS)

sanitize: $(STAMP) ## generated C under the address and undefined behaviour sanitizers; make sanitize ARGS="nim"
	$(BIN)/python -m benchmarks.sanitizers --job $(ARGS)

soak: $(STAMP) ## what takes longer than the tests may: make soak MINUTES=25
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES) $(ARGS)

strength: $(STAMP) ## how strong the bots are; make strength ARGS="solved", or poker, greedy, growth, levels
	$(BIN)/python -m benchmarks.strength $(ARGS)

clean: ## remove everything that was made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
