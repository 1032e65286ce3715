# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
DEMO := runs/demo

.PHONY: demo test lint bench clean

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

bench: $(VENV)/installed
	$(RUN) -m benchmarks.speed

clean:
	rm -rf $(VENV) runs build dist *.egg-info
