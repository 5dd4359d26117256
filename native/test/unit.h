/*
 * A unit test in C: a program with a function for each case, `CASE(name) { ... CHECK(condition); ... }`, and a main of
 * `RUN(name);` lines that returns `verdict()`. It prints `ok NAME`, `FAIL NAME` or `SKIP NAME why` for each case, which
 * test/check collects.
 */
#ifndef AYATORI_TEST_UNIT_H
#define AYATORI_TEST_UNIT_H

#include <stdarg.h>
#include <stdio.h>

static int unit_failed_cases;
static int unit_failed_checks;
static char unit_skipped[200];

#define CASE(name) static void name(void)

/* Says what was expected and goes on: one run shows every wrong value of a case. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                            \
            unit_failed_checks++;                                                                                      \
        }                                                                                                              \
    } while (0)

/* For integers, with both values. */
#define CHECK_EQUAL(expected, actual)                                                                                  \
    do {                                                                                                               \
        long long unit_expected = (long long)(expected), unit_actual = (long long)(actual);                            \
        if (unit_expected != unit_actual) {                                                                            \
            printf("%s:%d: %s: expected %lld, got %lld\n", __FILE__, __LINE__, #actual, unit_expected, unit_actual);   \
            unit_failed_checks++;                                                                                      \
        }                                                                                                              \
    } while (0)

/* Leaves the case: what it needs is not to be had here. */
#define SKIP(...)                                                                                                      \
    do {                                                                                                               \
        snprintf(unit_skipped, sizeof unit_skipped, __VA_ARGS__);                                                      \
        return;                                                                                                        \
    } while (0)

static void unit_run(const char *name, void (*test)(void))
{
    unit_failed_checks = 0;
    unit_skipped[0] = '\0';
    test();
    if (unit_failed_checks > 0) {
        unit_failed_cases++;
        printf("FAIL %s\n", name);
    } else if (unit_skipped[0] != '\0') {
        printf("SKIP %s %s\n", name, unit_skipped);
    } else {
        printf("ok %s\n", name);
    }
    fflush(stdout); /* a later case that crashes must not take this line with it */
}

#define RUN(name) unit_run(#name, name)

static int verdict(void)
{
    return unit_failed_cases > 0;
}

#endif
