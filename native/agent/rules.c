#define _GNU_SOURCE
#include "rules.h"

#include <string.h>

/* The bytes of the character at `text`, which is UTF-8 and not at its end. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    while (((unsigned char)text[length] & 0xC0) == 0x80)
        length++;
    return length;
}

/* Without character classes: `[` is part of many a thread's name. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL;  /* the last one that was met … */
    const char *tried = NULL; /* … and where what follows it was tried last */
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            tried = text;
        } else if (*pattern == '?') {
            pattern++;
            text += character_length(text);
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++tried;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool is_for(const struct rule *rule, unsigned kind, const char *java_name, const char *group_name)
{
    switch (rule->selector) {
    case RULE_THREAD: return java_name && matches(rule->pattern, java_name);
    case RULE_GROUP: return group_name && matches(rule->pattern, group_name);
    case RULE_KIND: return rule->kind == kind;
    }
    return false;
}

const struct rule *rules_match(const struct rules *rules, unsigned kind, const char *java_name, const char *group_name)
{
    for (size_t i = 0; rules && i < rules->count; i++)
        if (is_for(&rules->rules[i], kind, java_name, group_name))
            return &rules->rules[i];
    return NULL;
}

bool rule_schedules(const struct rule *rule)
{
    return rule && (rule->policy != RULE_LEAVES_POLICY || rule_timing(rule));
}

const struct timing *rule_timing(const struct rule *rule)
{
    return rule && rule->timing.runtime ? &rule->timing : NULL;
}

struct level rule_level(const struct rule *rule, const struct ladder *l, unsigned kind, struct level by_ladder)
{
    if (!rule || rule->policy == RULE_LEAVES_POLICY || (l->folded && kind < LEDGER_KIND_VM_THREAD))
        return by_ladder;
    struct level level = {rule->policy, rule->value};
    /* Where the policy has been given up meanwhile, the VM Thread is not above it. */
    if (level_is_real_time(level) && !ladder_is_real_time(l))
        return by_ladder;
    if (!rule->sets_value && (rule->policy == SCHED_OTHER || rule->policy == SCHED_BATCH))
        level.value = by_ladder.policy == SCHED_OTHER   ? by_ladder.value
                      : l->launch.policy == SCHED_OTHER ? l->launch.value
                                                        : 0;
    return level;
}

struct level level_of_thread(const struct ladder *l, const struct rule *rule, unsigned kind, int java_priority,
                             bool ends_vm)
{
    struct level by_ladder = ladder_level(l, kind, java_priority, ends_vm);
    return ends_vm ? by_ladder : rule_level(rule, l, kind, by_ladder);
}
