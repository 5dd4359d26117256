/*
 * What rules say beside the level: the CPUs that a thread may run on, and its I/O priority. clone(2) hands both on, so what
 * a rule gave to a thread is taken from those that it makes.
 */
#ifndef AYATORI_PINS_H
#define AYATORI_PINS_H

#include <sys/types.h>

#include "rules.h"

/* Notes what the JVM was launched with. Once, before any rule is followed. */
void pins_prepare(void);

/* Gives the thread what rule `now` says, and as launched what only `before` said; NULL: no rule. Refusals are reported. */
void pins_follow(pid_t tid, const char *name, const struct rule *before, const struct rule *now);

/* Gives a process of this JVM's what that was launched with, where any of `rules` (may be NULL) would change it. Async-signal-safe. */
void pins_take_back(pid_t process, const struct rules *rules);

#endif
