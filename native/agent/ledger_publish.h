/* The ledger's page for other processes (include/ledger_page.h). Called by the ledger alone, its lock held. */
#ifndef AYATORI_LEDGER_PUBLISH_H
#define AYATORI_LEDGER_PUBLISH_H

#include <sys/types.h>

#include "kernel_sched.h"

struct published_record;

void publish_open(void);
void publish_header(int policy, int rt_policy, struct level launch);
void publish_band(int low, int high);
void publish_folded(int why);

/* A record for a new thread; never NULL: a thread that finds the page full gets one that nobody else sees. */
struct published_record *publish_claim(pid_t tid, const char *name);
/* `timing`: what goes with the own level, NULL if nothing does. */
void publish_levels(struct published_record *record, unsigned kind, int java_priority, struct level own,
                    struct level wanted, int error, unsigned dues, const struct timing *timing);
void publish_name(struct published_record *record, const char *name);
const char *published_name(const struct published_record *record);
void publish_release(struct published_record *record);

#endif
