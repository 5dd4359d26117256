# Ayatori's front door. Everything that needs a tool asks tools/setup for it first.
#   make demo    build what is needed and run the paper's counter experiment from the archive
#   make test    everything that can fail: native, Java, archive, process level
#   make bench   the long measurements
#   make dist    dist/ayatori-VERSION-linux-x86_64.tar.gz

SHELL := /bin/bash
.DEFAULT_GOAL := dist
VERSION := $(shell sed -n 's:^  <version>\(.*\)</version>$$:\1:p' pom.xml)
HOME_DIR := dist/ayatori-$(VERSION)
# Asked once, and only by the rules that need it.
JDK = $(eval JDK := $$(shell tools/setup jdk))$(JDK)
# Not -q: that hides the warnings that fail the build.
MVN = JAVA_HOME='$(JDK)' mvn -B -T1 -Dstyle.color=never -Dorg.slf4j.simpleLogger.defaultLogLevel=warn

.PHONY: setup native dist demo test bench format clean

setup:
	@tools/setup

native:
	$(MAKE) -C native JDK='$(JDK)' all

dist: setup native
	$(MVN) package -Dmaven.test.skip=true

demo: dist
	$(HOME_DIR)/bin/ayatori demo

test: setup
	@tools/test

bench: dist
	bench/run

format:
	$(MVN) spotless:apply
	$(MAKE) -C native format
	$(MAKE) -C bench/src/main/c format

clean:
	$(MAKE) -C native clean
	rm -rf dist threads/target jpi/target jpi-mpijava/target jpi-openmpi/target cli/target bench/target stress/target papers/target target
