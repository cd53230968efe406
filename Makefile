# Everything a developer or CI does with the project. `make` alone lists the targets.
# Every target sets up what it needs: a virtual environment in .venv, nothing outside it.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test soak readme-test check format bench tables strokes docs paragraphs install-device emulate emulate-test board-image board-test clean

PYTHON ?= python3
export PYTHONUTF8 := 1
# Where it is set, each of the thousand processes that tests start compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
# Twice two cores: half of the tests wait for processes and not for a core. A worker that has nothing
# left to do takes over from another.
WORKERS ?= 4
PYTEST := $(BIN)/python -m pytest --dist worksteal -n

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/sim.stamp ## a floor of linked tables in the terminal, playing by itself (Ctrl-C ends it)
	@$(BIN)/underfelt-sim floor $(ARGS)

test: $(VENV)/dev.stamp mosquitto micropython ## run the tests (ARGS="-k royal" narrows them)
	$(PYTEST) $(WORKERS) $(ARGS)

soak: $(VENV)/dev.stamp mosquitto micropython ## run the tests that search for long (SOAK=1)
	SOAK=1 $(PYTEST) $(WORKERS) $(ARGS)

readme-test: $(VENV)/dev.stamp ## follow the README word for word in an empty clone (installs from the package index)
	SOAK=1 $(PYTEST) 0 tests/test_empty_clone.py $(ARGS)

emulate: $(VENV)/dev.stamp ## build and boot an emulated Pi, and watch its table play (Ctrl-C ends it)
	@.ci/install-emulator
	@$(BIN)/underfelt-sim floor --tables 1 --emulated $(ARGS)

emulate-test: $(VENV)/dev.stamp mosquitto ## test the firmware on the emulated Pi (SOAK=1 for 30 power cuts)
	@.ci/install-emulator
	@$(BIN)/python -m sim.emulator.build
	EMULATE=1 $(BIN)/python -m pytest -n 0 tests/emulator $(ARGS)

board-image: $(VENV)/dev.stamp ## build the image of the spot board, build/spot-board/spot-board.uf2
	@.ci/install-board-tools
	@$(BIN)/python -m sim.pico.image

board-test: board-image micropython ## test that image on an emulated chip (SOAK=1 for every moment and a longer day)
	BOARD=1 $(PYTEST) 2 tests/board $(ARGS)

check: $(VENV)/dev.stamp ## ruff (lint and format) and mypy strict, tests included
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/dev.stamp ## let ruff put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/bench.stamp mosquitto ## measure against other evaluators and the bare libraries
	@$(BIN)/python -m tests.bench

paragraphs: $(VENV)/dev.stamp ## list the rule paragraphs that the table does not reach, and what only people do
	@$(BIN)/python -m tests.paragraphs

strokes: $(VENV)/dev.stamp ## count the strokes and lines of a round, by game, card source, seats and display
	@$(BIN)/python -m sim.panel.count

docs: $(VENV)/dev.stamp ## write what is made from the code: cards for dealers, faults, man pages (hw/)
	@$(BIN)/python -m sim.panel.cards
	@$(BIN)/python -m host_tools.faults.document
	@$(BIN)/python -m tests.manual

tables: $(VENV)/dev.stamp ## rebuild the evaluator's lookup tables
	@$(BIN)/python -m firmware.rules.hand_tables

install-device: ## install the firmware on this Raspberry Pi, as root (DESTDIR=image for an image)
	@DESTDIR='$(DESTDIR)' PYTHON='$(PYTHON)' hw/install-device

clean: ## remove what the other targets made
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: mosquitto
mosquitto: # the real broker, where it can be installed
	@.ci/install-mosquitto

.PHONY: micropython
micropython: $(VENV)/dev.stamp # the spot board's interpreter, where it can be had
	@$(BIN)/python -m sim.spot_board.interpreter

# A stamp is newer than pyproject.toml when what that file lists is installed.
$(VENV)/bin/python:
	@.ci/make-venv $(PYTHON) $(VENV)

$(VENV)/%.stamp: pyproject.toml | $(VENV)/bin/python
	@.ci/install-extra $(BIN)/python $*
	@touch $@
