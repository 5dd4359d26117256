/* One thread of this process as proc(5) stat has it. Any thread may call; nothing here allocates. */
#ifndef AYATORI_TASK_STAT_H
#define AYATORI_TASK_STAT_H

#include <sys/types.h>

#define TASK_STATE 3
#define TASK_CPU 39 /* the one that it was on last */

struct task_stat {
    char text[512];
};

/*
 * The field of that number, 3 or higher, as it stands there, with what follows it; "" if the thread has ended. In `stat`,
 * which is overwritten.
 */
const char *task_stat_field(struct task_stat *stat, pid_t tid, int number);

#endif
