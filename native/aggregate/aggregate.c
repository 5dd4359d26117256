/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ayatori-aggregate: puts BPF programs into the kernel and reads what they count. The command `ayatori aggregate` runs it;
 * see its manual page, ayatori-aggregate(8).
 */
#include "meter_read.h"
#include "plain_run.h"
#include "scheduler_control.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MISTAKE = 2 };

static int usage(void)
{
    fputs("usage: ayatori-aggregate meter MILLISECONDS\n"
          "       ayatori-aggregate plain COMMAND [ARGUMENT...]\n"
          "       ayatori-aggregate run auto|always|never COMMAND [ARGUMENT...]\n"
          "       ayatori-aggregate start auto|always|never\n"
          "       ayatori-aggregate stop | status\n",
          stderr);
    return MISTAKE;
}

static int meter_for(const char *word)
{
    char *end;
    errno = 0;
    long milliseconds = strtol(word, &end, 10);
    if (errno || *end || end == word || milliseconds < 1)
        return usage();
    return meter(milliseconds);
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "";
    if (count > 2 && strcmp(what, "plain") == 0)
        return plain_run(words + 2);
    if (count > 3 && strcmp(what, "run") == 0)
        return scheduler_run(words[2], words + 3);
    if (count == 3 && strcmp(what, "start") == 0)
        return scheduler_start(words[2]);
    if (count == 2 && strcmp(what, "stop") == 0)
        return scheduler_stop();
    if (count == 2 && strcmp(what, "status") == 0)
        return scheduler_status();
    if (count == 3 && strcmp(what, "meter") == 0)
        return meter_for(words[2]);
    return usage();
}
