#define _GNU_SOURCE
#include "allowance.h"

#include <pthread.h>

#include "report.h"

/* The first of the levels that a policy can ask for which the kernel refuses, and what it said. */
struct probe {
    struct level wanted[4];
    int count;
    struct level refused;
    int error; /* 0: it has them all */
};

/* On a thread of its own, which then ends: without privilege a nice value cannot be taken back. */
static void *probe_levels(void *context)
{
    struct probe *probe = context;
    for (int i = 0; i < probe->count && probe->error == 0; i++) {
        probe->refused = probe->wanted[i];
        probe->error = kernel_set(0, probe->wanted[i], false);
    }
    return NULL;
}

static struct probe probe_policy(const struct ladder *l)
{
    struct level lowest = ladder_level(l, LEDGER_KIND_JAVA, LADDER_MIN_JAVA_PRIORITY, false);
    struct level highest = ladder_level(l, LEDGER_KIND_JAVA, LADDER_MAX_JAVA_PRIORITY, false);
    struct level top = ladder_level(l, LEDGER_KIND_VM_THREAD, 0, false);
    struct probe probe = {.wanted = {top, highest, lowest, l->launch}, .count = 4};
    pthread_t thread;
    if (pthread_create(&thread, NULL, probe_levels, &probe) == 0)
        pthread_join(thread, NULL);
    return probe;
}

bool settle_for_what_is_allowed(struct ladder *l, const char *strictly)
{
    struct probe probe = probe_policy(l);
    bool real_time = level_is_real_time(probe.refused);
    if (probe.error == 0 || (!strictly && !real_time)) /* a refused nice value is reported where a thread misses it */
        return true;
    const char *policy = ladder_policy_name(l->policy);
    char level[LEVEL_TEXT];
    char remedy[REMEDY_TEXT];
    level_text(probe.refused, level);
    report_remedy(probe.refused, probe.error, remedy);
    if (strictly)
        report_line("policy %s: wanted %s, the kernel refused (%s); %s; %s, as strict asks", policy, level,
                    errno_name(probe.error), remedy, strictly);
    else
        report_line("policy %s: wanted %s, the kernel refused (%s); %s; going on with policy nice", policy, level,
                    errno_name(probe.error), remedy);
    l->policy = LEDGER_POLICY_NICE;
    return !strictly;
}
