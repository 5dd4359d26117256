/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_METER_READ_H
#define AYATORI_METER_READ_H

/*
 * Counts for so long, or until SIGINT or SIGTERM, and writes what was counted to standard output; what is in the way to
 * standard error. The exit code. Called once, by the main thread.
 */
int meter(long milliseconds);

#endif
