# Signorini: structural dynamics with unilateral contact.
#
#   make            build/signorini and build/libsignorini.a
#   make demo       run the bouncing bar and draw it
#   make test       unit tests, integration tests, benchmarks
#   make help       the rest
#
# Everything is built below $(B). What is missing on a Debian system is installed by tools/deps.sh.

VERSION = 0.1.0

B       ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CC      := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
OPT     ?= -O3
# warnings are errors where this project builds itself (.ci/run); compilers of tomorrow have other warnings
WERROR  ?=
V       ?=

ifneq ($(words $(filter-out / . .. src decks tests tools docs,$(B))),1)
$(error B must name a folder of its own, not '$(B)')
endif

# all cores unless -j says otherwise
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2))

# --- flags -------------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(WERROR)
HARDEN   := -fstack-protector-strong -D_FORTIFY_SOURCE=2
ifeq ($(SANITIZE),1)
OPT      := -O1 -g
HARDEN   := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

CODE_FLAGS = -std=c11 $(OPT) -ffp-contract=off -fopenmp-simd -fPIE $(HARDEN) $(WARNINGS) $(CFLAGS) \
             -Isrc -I$(B) $(LIB_CFLAGS) $(CPPFLAGS)
LINK_FLAGS = $(OPT) $(HARDEN) -pie -Wl,-z,relro,-z,now $(LDFLAGS)
# Check passes a NULL after the arguments of its messages, by design
TEST_FLAGS = $(CODE_FLAGS) -Wno-format-extra-args -Itests -Itests/unit -Itests/alloc

# --- what is built from what -------------------------------------------------------------------------

SOURCES  := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c))
MAIN     := src/signorini.c
# what is compiled in, for `verify`
DECKS    := $(filter-out decks/sweep_bouncing_bar.cfg,$(sort $(wildcard decks/*.cfg decks/*.bench decks/*.msh decks/*.mtx decks/*.csv decks/*.AT2)))
# what figures are made of
TEMPLATES := $(sort $(wildcard src/drawing/*.gp))
EMBEDDED := $(B)/templates.c $(if $(wildcard src/benchmarks/shipped.h),$(B)/shipped.c)

object       = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB_OBJECTS := $(call object,$(filter-out $(MAIN),$(SOURCES))) $(EMBEDDED:.c=.o)

UNIT_TESTS   := $(sort $(wildcard tests/unit/*.c))
ALLOC_TESTS  := $(sort $(wildcard tests/alloc/*.c))
BENCHES      := $(sort $(wildcard tests/bench/*.c))
UNIT_OBJECTS := $(call object,$(UNIT_TESTS)) $(B)/unit/main.o
TEST_OBJECTS := $(UNIT_OBJECTS) $(call object,$(ALLOC_TESTS) $(BENCHES))
ALL_OBJECTS  := $(call object,$(SOURCES)) $(EMBEDDED:.c=.o) $(TEST_OBJECTS)

PROGRAM := $(B)/signorini
LIBRARY := $(B)/libsignorini.a

.PHONY: all deps demo test campaign docs sanitize lint bench install uninstall clean help format FORCE
.PHONY: torture try-release test-siconos tidy cppcheck objects library-objects test-binaries

all: $(PROGRAM) $(LIBRARY)

# --- packages: config.mk exists once they are there; make reads it anew after writing it --------------

ifneq ($(filter-out clean help uninstall deps format,$(or $(MAKECMDGOALS),all)),)
include $(B)/config.mk
endif

pkg = $$(pkg-config $(1) 2>/dev/null)

$(B)/config.mk: tools/deps.sh
	@mkdir -p $(@D)
	@tools/deps.sh build "$(CC)"
	@h=hdf5-serial; pkg-config --exists $$h || h=hdf5; \
	 cflags=$$(pkg-config --cflags libconfig $$h openblas lapacke | sed 's/-I/-isystem /g'); \
	 libs=$$(pkg-config --libs libconfig lapacke openblas); \
	 hdf5=$$(pkg-config --libs $$h | sed 's/-l\(hdf5[a-z_]*\)/-l\1_hl -l\1/'); \
	 printf '%s\n' "LIB_CFLAGS := $$cflags -isystem /usr/include/suitesparse" \
	        "LIBS := $$hdf5 -lumfpack -lcholmod $$libs -lmd -lm -lpthread" > $@

# the packages that only some targets need
$(B)/deps.%: tools/deps.sh
	@mkdir -p $(@D)
	@tools/deps.sh $*
	@touch $@

deps:
	@tools/deps.sh build test demo lint

# --- generated sources: rewritten only when their text changes ----------------------------------------

replace_if_changed = if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi

$(B)/version.h: FORCE
	@mkdir -p $(@D)
	@tools/version.sh $(VERSION) > $@.new && $(replace_if_changed)

# what every object depends on beside its sources: a change of compiler or flags rebuilds
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(CODE_FLAGS)' '$(LINK_FLAGS) $(LIBS)' > $@.new && $(replace_if_changed)

# the library's members: a removed source leaves the archive
$(B)/members: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(LIB_OBJECTS) > $@.new && $(replace_if_changed)

$(B)/decks: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(DECKS) > $@.new && $(replace_if_changed)

$(B)/shipped.c: tools/embed_decks.sh $(DECKS) $(B)/decks
	$(call say,EMBED,$@)
	@tools/embed_decks.sh $(DECKS) > $@

$(B)/templates.c: tools/embed_templates.sh $(TEMPLATES)
	$(call say,EMBED,$@)
	@mkdir -p $(@D)
	@tools/embed_templates.sh $(TEMPLATES) > $@

$(B)/unit/main.c: tools/collect_suites.sh $(UNIT_TESTS) FORCE
	@mkdir -p $(@D)
	@tools/collect_suites.sh $(UNIT_TESTS) > $@.new && $(replace_if_changed)

# --- compiling and linking ----------------------------------------------------------------------------

$(B)/obj/src/%.o: src/%.c $(B)/flags | $(B)/version.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CODE_FLAGS) -MMD -MP -c -o $@ $<

$(EMBEDDED:.c=.o): %.o: %.c $(B)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(CODE_FLAGS) -MMD -MP -c -o $@ $<

$(B)/obj/tests/%.o: tests/%.c $(B)/flags | $(B)/version.h $(B)/deps.test
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_FLAGS) -MMD -MP -c -o $@ $<

$(B)/unit/main.o: $(B)/unit/main.c $(B)/flags | $(B)/deps.test
	$(call say,CC,$<)
	$(Q)$(CC) $(TEST_FLAGS) -MMD -MP -c -o $@ $<

$(LIBRARY): $(LIB_OBJECTS) $(B)/members
	$(call say,AR,$@)
	@rm -f $@
	$(Q)ar rcs $@ $(LIB_OBJECTS)

link = $(Q)$(CC) $(LINK_FLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(1) $(LIBS)

$(PROGRAM): $(call object,$(MAIN)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

$(B)/unit_tests: $(UNIT_OBJECTS) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link,$(call pkg,--libs check))

# malloc is counted where the library calls it; BLAS and HDF5 call their own
WRAP := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=realpath,--wrap=free
$(B)/alloc_tests: $(call object,$(ALLOC_TESTS)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link,$(WRAP) $(call pkg,--libs check))

$(B)/bench: $(call object,$(BENCHES)) $(LIBRARY)
	$(call say,LINK,$@)
	$(call link)

# against an independent library, where it is installed; -lsiconos_numerics brings what it needs
SICONOS := /usr/include/siconos
$(B)/siconos_tests: tests/siconos/compare.c tests/unit/contact_problem.h $(LIBRARY) $(B)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(TEST_FLAGS) -isystem $(SICONOS) -isystem $(SICONOS)/numerics $(LINK_FLAGS) -o $@ $< \
	    $(LIBRARY) $(LIBS) -lsiconos_numerics

-include $(ALL_OBJECTS:.o=.d)

# --- running ------------------------------------------------------------------------------------------

DEMO := $(B)/demo/bouncing_bar

demo: $(PROGRAM) $(B)/deps.demo
	@mkdir -p $(@D) $(B)/demo
	$(PROGRAM) run decks/bouncing_bar.cfg -o $(DEMO).h5
	$(PROGRAM) plot $(DEMO).h5 -o $(DEMO).svg
	$(PROGRAM) plot $(DEMO).h5 -o $(DEMO).png
	@printf 'results  %s\npictures %s %s\n' $(DEMO).h5 $(DEMO).svg $(DEMO).png

# sanitized code is slower: limits of time in tests are multiplied
TIME_FACTOR := $(if $(SANITIZE),10,1)
TEST_ENV = CK_DEFAULT_TIMEOUT=60 CK_TIMEOUT_MULTIPLIER=$(TIME_FACTOR) CK_XML_LOG_FILE_NAME=$(B)/unit_tests.xml \
           SIGNORINI_TIME_FACTOR=$(TIME_FACTOR) \
           ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=print_stacktrace=1 \
           LSAN_OPTIONS=suppressions=$(CURDIR)/tools/lsan.supp:print_suppressions=0

TEST_BINARIES := $(B)/unit_tests $(if $(ALLOC_TESTS),$(B)/alloc_tests)

test-binaries: $(TEST_BINARIES)

test: $(PROGRAM) $(TEST_BINARIES) $(B)/deps.test $(B)/deps.demo
	@command -v slurmctld >/dev/null || timeout 120 tools/deps.sh slurm >/dev/null 2>&1 || true
	@export $(TEST_ENV); \
	 if SIGNORINI='$(abspath $(PROGRAM))' tests/run \
	     $(foreach program,$(TEST_BINARIES),--with $(notdir $(program))=$(program)) \
	     --with benchmarks='$(PROGRAM) verify' --with siconos='$(MAKE) --no-print-directory test-siconos' \
	     $(TESTS); \
	 then echo "make test: all passed"; else echo "make test: FAILED"; exit 1; fi

# No part of `make test`: random models by all pairs of the grid, see tests/integration/pairs.py.
MODELS ?= 2000
campaign: $(PROGRAM) $(B)/deps.test
	@SIGNORINI='$(abspath $(PROGRAM))' tests/integration/pairs.py --models $(MODELS)

# Never an obstacle: a system without the package, and one that can't install it, is told so.
test-siconos: $(LIBRARY) $(B)/deps.test
ifeq ($(SANITIZE),1)
	@echo "skipped: Siconos is compared without sanitizers"
else
	@[ -e $(SICONOS) ] || timeout 120 tools/deps.sh siconos >/dev/null 2>&1 || true
	@if [ -e $(SICONOS)/numerics ]; then \
	     $(MAKE) --no-print-directory $(B)/siconos_tests && $(B)/siconos_tests; \
	 else echo "skipped: libsiconos-numerics-dev is not installed"; fi
endif

# every request for memory of many commands fails in turn; `make test` takes a sample of them
torture: $(B)/alloc_tests $(B)/deps.test $(B)/deps.demo
	@$(TEST_ENV) CK_RUN_CASE=torture SIGNORINI_TORTURE=1 $(B)/alloc_tests

sanitize:
	@$(MAKE) --no-print-directory B=$(B)/sanitize SANITIZE=1 test

# both commands of the README on a minimal Debian, by debootstrap, as root: before a release
RELEASE ?= trixie
try-release:
	@mkdir -p $(B)/try
	@tools/try_release.sh '$(RELEASE)' '$(B)/try'

# what is committed but made by the program; tests compare
docs: $(PROGRAM)
	$(PROGRAM) help --manual > docs/decks.md
	$(PROGRAM) help --manual study > docs/study-keywords.md
	$(PROGRAM) help --manual benchmark > docs/benchmark-keywords.md
	$(PROGRAM) help --manual ground-motion > docs/ground-motion-keywords.md
	$(PROGRAM) schema deck > schemas/deck.schema.json
	$(PROGRAM) schema study > schemas/study.schema.json
	$(PROGRAM) schema benchmark > schemas/benchmark.schema.json
	$(PROGRAM) schema ground-motion > schemas/ground-motion.schema.json
	$(PROGRAM) schema results > schemas/results.schema.json

bench: $(B)/bench
	$(B)/bench $(ARGS)

# --- checking the sources -----------------------------------------------------------------------------

C_FILES = $(sort $(shell find src tests -name '*.[ch]'))

format: | $(B)/deps.lint
	clang-format -i $(C_FILES)

lint: $(B)/deps.lint $(B)/deps.test
	@B='$(B)' CC='$(CC)' MAKE='$(MAKE)' tools/lint.sh $(PARTS)

objects: $(ALL_OBJECTS)
library-objects: $(call object,$(SOURCES))

# one stamp a file: a file is looked at again only when it, a header of it or the rules changed
TIDY_FILES := $(SOURCES:%.c=$(B)/tidy/%.ok)
tidy: $(TIDY_FILES)
$(B)/tidy/%.ok: %.c .clang-tidy $(B)/obj/%.o
	@mkdir -p $(@D)
	$(Q)clang-tidy --quiet $< -- -std=c11 -Isrc -I$(B) $(LIB_CFLAGS) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

cppcheck: $(B)/version.h
	@mkdir -p $(B)/cppcheck
	$(Q)cppcheck --quiet --std=c11 -j2 --enable=warning,performance,portability --inline-suppr \
	    --suppressions-list=tools/cppcheck.supp --error-exitcode=1 --cppcheck-build-dir=$(B)/cppcheck \
	    -Isrc -I$(B) src

# --- installing ---------------------------------------------------------------------------------------

BIN   = $(DESTDIR)$(PREFIX)/bin
MAN   = $(DESTDIR)$(PREFIX)/share/man/man1
BASH  = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
SHARE = $(DESTDIR)$(PREFIX)/share/signorini

install: $(PROGRAM)
	install -D -m 755 $(PROGRAM) '$(BIN)/signorini'
	install -D -m 644 docs/signorini.1 '$(MAN)/signorini.1'
	install -D -m 644 tools/completion/signorini.bash '$(BASH)/signorini'
	find decks schemas -type f | while read -r f; do install -D -m 644 "$$f" "$(SHARE)/$$f" || exit 1; done

uninstall:
	rm -f '$(BIN)/signorini' '$(MAN)/signorini.1' '$(BASH)/signorini'
	rm -rf '$(SHARE)'

clean:
	rm -rf '$(B)'

help:
	@printf '%s\n' \
	 'all        build/signorini and build/libsignorini.a (default)' \
	 'demo       run decks/bouncing_bar.cfg and draw build/demo/bouncing_bar.{svg,png}' \
	 'test       unit tests, integration tests (TESTS="kill follow" for some), signorini verify' \
	 'campaign   MODELS=2000 random models by every pair of the grid, some hours; test has 100 of them by some pairs' \
	 'test-siconos  only the solver of contacts, against Siconos where that is installed' \
	 'torture    every request for memory of many commands fails in turn (some 15 min)' \
	 'sanitize   the same under address and undefined-behaviour sanitizers, in build/sanitize' \
	 'try-release  make demo and make test in a minimal Debian (RELEASE=$(RELEASE)), as root' \
	 'lint       format, include order, function lengths, clang-tidy, cppcheck ... (PARTS="format tidy" for some)' \
	 'bench      speed of the kernels' \
	 'docs       write docs/decks.md and schemas/*.json anew from the program' \
	 'format     let clang-format rewrite the sources' \
	 'install    to PREFIX ($(PREFIX)), below DESTDIR if given; uninstall removes it' \
	 'deps       install the Debian packages that are missing (done by itself where needed)' \
	 'clean      remove $(B)' \
	 '' \
	 'CC=clang   another compiler        WERROR=-Werror  warnings are errors' \
	 'V=1        show the commands       B=FOLDER   build somewhere else'
