/* What the kernel allows of a policy, tried before anybody is touched. */
#ifndef AYATORI_ALLOWANCE_H
#define AYATORI_ALLOWANCE_H

#include <stdbool.h>

#include "ladder.h"

/*
 * Without the right to place the VM Thread above them, no Java thread may become real-time: it could stop the whole JVM.
 * So a real-time policy is had with everything that belongs to it, or `nice` takes its place in `ladder`, and that is said.
 * False, which is said too, if all or nothing is asked for: `strictly` then says what is not done, "not started"; else it is
 * NULL. Any thread.
 */
bool settle_for_what_is_allowed(struct ladder *ladder, const char *strictly);

#endif
