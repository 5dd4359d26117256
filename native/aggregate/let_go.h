/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_LET_GO_H
#define AYATORI_LET_GO_H

/*
 * Takes the scheduler of this link out of the kernel, and returns when it is out. The link stays open; if its scheduler is out
 * already nothing happens. By the main thread.
 */
void let_go(int link);

#endif
