#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "rules.h"

/* Below the kernel's threaded interrupts. */
#define HIGHEST_BAND 49

#define RULES "rules="

struct band {
    int low, high; /* 0: none was given */
};

struct word {
    const char *text;
    size_t length;
};

static bool word_is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.text, text, word.length) == 0;
}

static bool mistake(char *message, size_t size, const char *what, struct word value, const char *remedy)
{
    snprintf(message, size, "%s \"%.*s\": %s", what, (int)value.length, value.text, remedy);
    return false;
}

static bool parse_policy(struct ladder *l, struct word value, char *message, size_t size)
{
    for (int policy = 0; ladder_policy_name(policy); policy++) {
        if (word_is(value, ladder_policy_name(policy))) {
            l->policy = policy;
            return true;
        }
    }
    return mistake(message, size, "unknown policy", value, "it is one of none, nice, static, mixed");
}

/* One of two words, the first of which means true. */
static bool parse_choice(bool *chosen, struct word value, const char *yes, const char *no)
{
    *chosen = word_is(value, yes);
    return *chosen || word_is(value, no);
}

/* -1 if it is no number, or one of more than four digits. */
static int number_of(struct word value)
{
    int number = 0;
    if (value.length == 0 || value.length > 4)
        return -1;
    for (size_t i = 0; i < value.length; i++) {
        if (value.text[i] < '0' || value.text[i] > '9')
            return -1;
        number = number * 10 + (value.text[i] - '0');
    }
    return number;
}

static bool parse_rung(int *rung, struct word value, char *message, size_t size)
{
    int number = number_of(value);
    if (number < 0 || number > LADDER_RT_CAP)
        return mistake(message, size, "no rung of the ladder", value, "a real-time value from 1 to 29, or 0 to leave");
    *rung = number;
    return true;
}

static bool parse_runaway_limit(struct ladder *l, struct word value, char *message, size_t size)
{
    int number = number_of(value);
    if (number < 0 || number > MAX_RUNAWAY_LIMIT)
        return mistake(message, size, "no runaway limit", value, "seconds from 1 to 3600, or 0 for no guard");
    l->runaway_limit = number;
    return true;
}

/* `LOW-HIGH`. */
static bool parse_band(struct band *band, struct word value, char *message, size_t size)
{
    const char *dash = memchr(value.text, '-', value.length);
    size_t low_length = dash ? (size_t)(dash - value.text) : value.length;
    band->low = number_of((struct word){value.text, low_length});
    band->high = dash ? number_of((struct word){dash + 1, value.length - low_length - 1}) : -1;
    return (band->low >= 1 && band->high > band->low && band->high <= HIGHEST_BAND) ||
           mistake(message, size, "no band", value,
                   "two real-time values from 1 to 49 (the kernel's interrupt threads stand at 50), such as 10-29");
}

static bool parse_option(struct ladder *l, bool *strict, struct band *band, struct word key, struct word value,
                         char *message, size_t size)
{
    static const struct {
        const char *name;
        unsigned kind;
    } rungs[] = {
        {"vm-thread", LEDGER_KIND_VM_THREAD},
        {"gc-worker", LEDGER_KIND_GC_WORKER},
        {"concurrent-gc", LEDGER_KIND_CONCURRENT_GC},
        {"compiler", LEDGER_KIND_COMPILER},
    };
    bool first;
    if (word_is(key, "policy"))
        return parse_policy(l, value, message, size);
    if (word_is(key, "strict") && value.length == 0)
        return *strict = true;
    if (word_is(key, "rt")) {
        if (!parse_choice(&first, value, "rr", "fifo"))
            return mistake(message, size, "unknown rt", value, "it is rr or fifo");
        l->rt_policy = first ? SCHED_RR : SCHED_FIFO;
        return true;
    }
    if (word_is(key, "values"))
        return parse_choice(&l->paper_values, value, "paper", "ladder") ||
               mistake(message, size, "unknown values", value, "it is ladder or paper");
    if (word_is(key, "placement"))
        return parse_choice(&l->placement, value, "on", "off") ||
               mistake(message, size, "unknown placement", value, "it is on or off");
    if (word_is(key, "band"))
        return parse_band(band, value, message, size);
    if (word_is(key, "runaway-limit"))
        return parse_runaway_limit(l, value, message, size);
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++)
        if (word_is(key, rungs[i].name))
            return parse_rung(&l->rungs[rungs[i].kind], value, message, size);
    return mistake(message, size, "unknown option", key,
                   "it is one of policy, rt, values, placement, band, runaway-limit, strict, rules");
}

/* Last, since what fits depends on the policy. */
static bool apply_band(struct ladder *l, struct band band, char *message, size_t size)
{
    int needed = 0;
    if (l->paper_values) {
        snprintf(message, size, "band %d-%d: the paper's values are 1 to 10 and nowhere else; leave one of the two out",
                 band.low, band.high);
        return false;
    }
    if (!ladder_is_real_time(l) || ladder_set_band(l, band.low, band.high, &needed))
        return true;
    snprintf(message, size, "band %d-%d: too narrow for policy %s, which takes %d values", band.low, band.high,
             ladder_policy_name(l->policy), needed);
    return false;
}

bool options_parse(const char *text, struct ladder *l, bool *strict, char *message, size_t message_size)
{
    struct ladder chosen = *l;
    bool chosen_strict = *strict;
    struct band band = {0, 0};
    const char *rules = NULL;
    while (text && *text) {
        if (strncmp(text, RULES, strlen(RULES)) == 0) { /* the rest is a path, whatever is in it */
            rules = text + strlen(RULES);
            break;
        }
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        struct word key = {text, equals ? (size_t)(equals - text) : length};
        struct word value = {equals ? equals + 1 : text, equals ? length - key.length - 1 : 0};
        if (!parse_option(&chosen, &chosen_strict, &band, key, value, message, message_size))
            return false;
        text += length;
        text += *text == ',';
    }
    if (band.high && !apply_band(&chosen, band, message, message_size))
        return false;
    if (rules) {
        chosen.rules = rules_read(rules, &chosen, band.low ? band.low : 1, message, message_size);
        if (!chosen.rules)
            return false;
    }
    *l = chosen;
    *strict = chosen_strict;
    return true;
}

__attribute__((visibility("default"))) int32_t ayatori_options_check(const char *text, char *message,
                                                                     uint64_t message_size)
{
    struct ladder checked;
    struct level launch = {SCHED_OTHER, 0};
    bool strict = false;
    kernel_get(0, &launch);
    ladder_defaults(&checked, launch);
    bool good = options_parse(text, &checked, &strict, message, message_size);
    rules_free(checked.rules);
    return good ? 0 : -EINVAL;
}
