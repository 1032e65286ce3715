# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
DEMO := runs/demo

.PHONY: demo test lint docs pictures bench bench-check bench-peers recipes coverage clean

$(VENV)/installed: pyproject.toml constraints.txt
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

demo: $(VENV)/installed
	rm -rf $(DEMO)
	$(RUN) -m training.train +experiment=demo output=$(DEMO)
	$(RUN) -m training.evaluate agent=$(DEMO) output=$(DEMO)
	$(RUN) -m training.report $(DEMO)

test: $(VENV)/installed lint
	$(RUN) -m pytest -n 2 --dist loadfile

lint: $(VENV)/installed
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy

docs: $(VENV)/installed
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict

# The tables, pictures, replays and the recorded round of the docs, from the code.
pictures: $(VENV)/installed
	$(RUN) -m docs.tables
	$(RUN) -m docs.pictures
	$(RUN) -m docs.session

bench: $(VENV)/installed
	$(RUN) -m benchmarks.speed
	$(RUN) -m docs.tables

bench-check: $(VENV)/installed
	$(RUN) -m benchmarks.guard

bench-peers: $(VENV)/installed
	$(RUN) -m benchmarks.compare
	$(RUN) -m docs.tables

# Every library's recipe at its full budget, each in an environment that it can live in.
recipes: $(VENV)/installed
	$(RUN) -m docs.recipes
	$(RUN) -m docs.tables

# The rules, encoders and policies as plain Python; compilation and what chooses among scripted seats as they are compiled.
coverage: $(VENV)/installed
	$(RUN) -m coverage erase
	NUMBA_DISABLE_JIT=1 $(RUN) -m coverage run -m pytest -n 2 --dist loadfile tests/games tests/test_fuzz.py tests/test_engine.py
	CARDENVS_CACHE_DIR=$(VENV)/coverage $(RUN) -m coverage run -m pytest tests/test_jit.py tests/test_aec.py tests/test_gymnasium.py -k 'not full_disk'
	$(RUN) -m coverage combine --quiet
	$(RUN) -m coverage report

clean:
	rm -rf $(VENV) runs site build dist *.egg-info
