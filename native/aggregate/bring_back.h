/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_BRING_BACK_H
#define AYATORI_BRING_BACK_H

/*
 * Brings the threads of a run back under its scheduler that have left it, or were born elsewhere; not those that are
 * real-time, as long as they are. Called by the main thread, once each.
 */

/* From now on, in a thread of its own. 0; else the exit code, and why not is said. */
int bring_back_start(void);

/* For the run's first process: this thread, and all that comes of it, belongs to the run. false: said why not. */
_Bool bring_back_me(void);

void bring_back_stop(void);

#endif
