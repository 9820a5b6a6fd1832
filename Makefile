# Every target sets up what it needs in .venv: only Python 3.11+, git and make must be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test check image-check bench lock clean

help:
	@echo "make demo   review the bundled example pull request (offline)"
	@echo "make test   run the tests"
	@echo "make check  lint, types, the house test, and linters over workflows, action and Dockerfile"
	@echo "make image-check  build the image with Debian's buildah and run it (as root; see docs/installation.md)"
	@echo "make bench  measure, as ratios against peers in the same run"
	@echo "make lock   resolve the dependencies anew into requirements*.lock"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) --require-hashes -r requirements.lock
	@touch $@

# The development lock holds all of the runtime lock's packages at the same versions.
$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	$(PIP) --require-hashes -r requirements-dev.lock
	$(PIP) --no-deps --no-build-isolation --config-settings editable_mode=compat --editable .
	$(BIN)/python -m compileall -q bot rules
	@touch $@ $(VENV)/.runtime

# Linters in an environment of their own, so that what they depend on does not mix with what is tested.
$(VENV)-lint/.done: requirements-lint.lock
	$(PYTHON) -m venv $(VENV)-lint
	$(VENV)-lint/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-lint.lock
	@touch $@

demo: $(VENV)/.runtime
	@$(BIN)/python -m bot demo

test: $(VENV)/.dev
	@$(BIN)/python -m tests.official.fetch .cache/official
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.dev $(VENV)-lint/.done
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 0 tests/house
	$(VENV)-lint/bin/python -m lint

image-check: $(VENV)/.dev
	@$(BIN)/python -m image.check .cache/image/debian

bench: $(VENV)/.dev
	$(BIN)/python -m bench

lock: | $(BIN)/python
	$(PIP) uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate -c requirements.lock --group dev pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --group lint -o requirements-lint.lock

clean:
	rm -rf $(VENV) $(VENV)-lint lint/node_modules build *.egg-info
