#define _GNU_SOURCE
#include "options.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

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

static bool parse_rung(int *rung, struct word value, char *message, size_t size)
{
    int number = 0;
    bool valid = value.length > 0 && value.length <= 2;
    for (size_t i = 0; valid && i < value.length; i++) {
        valid = value.text[i] >= '0' && value.text[i] <= '9';
        number = number * 10 + (value.text[i] - '0');
    }
    if (!valid || number > LADDER_RT_CAP)
        return mistake(message, size, "no rung of the ladder", value, "a real-time value from 1 to 29, or 0 to leave");
    *rung = number;
    return true;
}

static bool parse_option(struct ladder *l, bool *strict, struct word key, struct word value, char *message, size_t size)
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
    for (size_t i = 0; i < sizeof rungs / sizeof rungs[0]; i++)
        if (word_is(key, rungs[i].name))
            return parse_rung(&l->rungs[rungs[i].kind], value, message, size);
    return mistake(message, size, "unknown option", key, "it is one of policy, rt, values, placement, strict");
}

bool options_parse(const char *text, struct ladder *l, bool *strict, char *message, size_t message_size)
{
    struct ladder chosen = *l;
    bool chosen_strict = *strict;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        struct word key = {text, equals ? (size_t)(equals - text) : length};
        struct word value = {equals ? equals + 1 : text, equals ? length - key.length - 1 : 0};
        if (!parse_option(&chosen, &chosen_strict, key, value, message, message_size))
            return false;
        text += length;
        text += *text == ',';
    }
    *l = chosen;
    *strict = chosen_strict;
    return true;
}
