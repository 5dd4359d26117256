#define _GNU_SOURCE
#include "task_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *task_stat_field(struct task_stat *stat, pid_t tid, int number)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return "";
    ssize_t length = read(fd, stat->text, sizeof stat->text - 1);
    close(fd);
    stat->text[length > 0 ? length : 0] = '\0';
    /* Field 2 is the name, in parentheses, which may have anything in it. */
    const char *end = strrchr(stat->text, ')');
    for (int field = 2; end && field < number; field++)
        end = strchr(end + 1, ' ');
    return end ? end + 1 : "";
}
