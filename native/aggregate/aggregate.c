/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ayatori-aggregate: puts BPF programs into the kernel and reads what they count. The command `ayatori aggregate` runs it;
 * see its manual page, ayatori-aggregate(8).
 */
#include "meter_read.h"
#include "plain_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MISTAKE = 2 };

static int usage(void)
{
    fputs("usage: ayatori-aggregate meter MILLISECONDS\n"
          "       ayatori-aggregate plain COMMAND [ARGUMENT...]\n",
          stderr);
    return MISTAKE;
}

int main(int count, char **words)
{
    if (count < 3)
        return usage();
    if (strcmp(words[1], "plain") == 0)
        return plain_run(words + 2);
    if (count != 3 || strcmp(words[1], "meter") != 0)
        return usage();
    char *end;
    errno = 0;
    long milliseconds = strtol(words[2], &end, 10);
    if (errno || *end || end == words[2] || milliseconds < 1)
        return usage();
    return meter(milliseconds);
}
