/*
 * Rules: what the user says of single threads, in a file of sections as systemd.exec(5) has them (docs/rules.md). The
 * first section that matches a thread is its rule; what that leaves out stays as the policy says. Pure, but for rules_read.
 */
#ifndef AYATORI_RULES_H
#define AYATORI_RULES_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernel_sched.h"
#include "ladder.h"

#define RULE_LEAVES_POLICY (-1)
#define RULE_LEAVES_IO (-1)

/* A section. */
struct rule {
    enum { RULE_THREAD, RULE_GROUP, RULE_KIND } selector;
    const char *pattern; /* of RULE_THREAD and RULE_GROUP: `*` is any text, `?` any character */
    unsigned kind;       /* of RULE_KIND: LEDGER_KIND_… */
    int policy;          /* SCHED_…, or RULE_LEAVES_POLICY */
    bool sets_value;     /* false: nice is what the policy says */
    int value;           /* as of a struct level */
    struct timing timing;
    bool pins; /* to `cpus` */
    cpu_set_t cpus;
    int io_priority; /* as of ioprio_set(2), or RULE_LEAVES_IO */
};

/* A file. Never changed, and never freed once threads may point to its rules. */
struct rules {
    bool by_group, pins, sets_io; /* whether any rule does */
    bool real_time;               /* whether any has SCHED_RR or SCHED_FIFO */
    char *text;                   /* what the patterns lie in */
    size_t count;
    struct rule *rules;
};

/*
 * Reads a file; its real-time values have to lie between `lowest` and what `ladder` gives the VM Thread. NULL, and
 * `FILE:LINE: what is wrong with it` in `message`, if there is a mistake in it.
 */
const struct rules *rules_read(const char *path, const struct ladder *ladder, int lowest, char *message, size_t size);

void rules_free(const struct rules *rules);

/*
 * The rule of a thread, NULL if there is none or `rules` is NULL. Names are UTF-8, and NULL where the thread has none: those
 * of the JVM's own threads are not Java's.
 */
const struct rule *rules_match(const struct rules *rules, unsigned kind, const char *java_name, const char *group_name);

/* Whether the rule (NULL: none) touches how the thread is scheduled; else it is about CPUs and I/O alone. */
bool rule_schedules(const struct rule *rule);

/* What goes with the rule's level, NULL if it says nothing of it. */
const struct timing *rule_timing(const struct rule *rule);

/* Where a thread of `kind` with this rule (NULL: none) stands, which the ladder puts at `by_ladder`. */
struct level rule_level(const struct rule *rule, const struct ladder *ladder, unsigned kind, struct level by_ladder);

/* Where a thread stands, by ladder and rule: who `ends_vm` takes no level of a rule's. See ladder_level. */
struct level level_of_thread(const struct ladder *ladder, const struct rule *rule, unsigned kind, int java_priority,
                             bool ends_vm);

#endif
