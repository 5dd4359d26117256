/*
 * The runaway guard: real-time Java threads that leave the ordinary ones no CPU for longer than a limit are all put back,
 * and one line says which of them did it. Everything here runs on the agent's own thread, which stands above them.
 *
 * A CPU counts as taken while they have 85 % of its time between them: the kernel's real-time throttling leaves 5 % to the
 * others, so that a runaway never shows 100 %.
 */
#ifndef AYATORI_RUNAWAY_GUARD_H
#define AYATORI_RUNAWAY_GUARD_H

/* How long the agent's thread may sleep before it looks: -1, for ever. */
int runaway_guard_timeout_ms(void);

/* Looks, if it is time, and acts. */
void runaway_guard_look(void);

#endif
