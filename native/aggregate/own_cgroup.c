/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "own_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NAPS = 100 };

/* Of the cpu controller's hierarchy: where it is mounted, which part of it, and where in it this process is. */
struct place {
    char mount[PATH_MAX];
    char root[PATH_MAX];
    char path[PATH_MAX];
    bool second; /* version 2 */
};

/* If a list with commas has the word. */
static bool has(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word)) {
        bool begins = at == list || at[-1] == ',';
        if (begins && (at[length] == '\0' || at[length] == ','))
            return true;
    }
    return false;
}

/* /proc/self/cgroup: NUMBER:CONTROLLERS:PATH, version 2 without controllers. */
static bool find_path(struct place *place)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (file && !found && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        controllers++;
        place->second = *controllers == '\0'; /* the last line, if there are others */
        found = has(controllers, "cpu") || place->second;
        if (found)
            snprintf(place->path, sizeof place->path, "%s", path);
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* /proc/self/mountinfo: ID PARENT DEVICE ROOT MOUNT OPTIONS ... - TYPE SOURCE OPTIONS. */
static bool find_mount(struct place *place)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (file && !found && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        char type[32];
        char options[1024];
        const char *end = strstr(line, " - ");
        found = end && sscanf(end, " - %31s %*s %1023s", type, options) == 2 &&
                sscanf(line, "%*s %*s %*s %4095s %4095s", place->root, place->mount) == 2 &&
                (place->second ? strcmp(type, "cgroup2") == 0 : strcmp(type, "cgroup") == 0 && has(options, "cpu"));
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* Of a cgroup. False: errno says why. */
static bool write_file(const char *group, const char *file, const char *text)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", group, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t written = write(fd, text, strlen(text));
    int error = errno;
    close(fd);
    errno = error;
    return written == (ssize_t)strlen(text);
}

/*
 * Version 1 gives a new group no time for real-time threads, and then there are none in it: a tenth of each second here, or
 * less if the groups beside leave less. A kernel without such budgets has no such file.
 */
static void give_real_time(const char *group)
{
    for (int micros = 100000; micros >= 1000; micros /= 2) {
        char text[16];
        snprintf(text, sizeof text, "%d", micros);
        if (write_file(group, "cpu.rt_runtime_us", text) || errno == ENOENT)
            return;
    }
}

const char *own_cgroup_enter(struct own_cgroup *group)
{
    struct place place;
    errno = ENOENT;
    if (!find_path(&place) || !find_mount(&place))
        return "no cgroups with a cpu controller are mounted";
    /* A container sees a part of the hierarchy, and the path of its processes from the top of all. */
    size_t hidden = strcmp(place.root, "/") == 0 ? 0 : strlen(place.root);
    const char *seen = strncmp(place.path, place.root, hidden) == 0 ? place.path + hidden : place.path;
    char parent[2 * PATH_MAX];
    snprintf(parent, sizeof parent, "%s%s", place.mount, strcmp(seen, "/") == 0 ? "" : seen);
    if (snprintf(group->path, sizeof group->path, "%.4000s/ayatori-aggregate-%d", parent, getpid()) < 0 ||
        mkdir(group->path, 0755) != 0)
        return "no cgroup can be made";
    if (!place.second)
        give_real_time(group->path);
    const char *trouble = NULL;
    if (!write_file(group->path, "cgroup.procs", "0"))
        trouble = "it cannot be put into a cgroup of its own";
    /* Only now: version 2 gives controllers to cgroups below one that has no processes, the first of all excepted. */
    else if (place.second && !write_file(parent, "cgroup.subtree_control", "+cpu"))
        trouble =
            "the cgroup that it is in gives no cpu controller to others below it: start it by systemd-run --scope";
    if (!trouble)
        return NULL;
    int error = errno;
    write_file(parent, "cgroup.procs", "0");
    rmdir(group->path);
    errno = error;
    return trouble;
}

const char *own_cgroup_leave(struct own_cgroup *group)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", group->path);
    *strrchr(parent, '/') = '\0';
    if (!write_file(parent, "cgroup.procs", "0")) {
        /* As above: no processes where there are controllers for others. */
        write_file(parent, "cgroup.subtree_control", "-cpu");
        if (!write_file(parent, "cgroup.procs", "0"))
            return "its cgroup cannot be left";
    }
    /* What the command has left behind may be about to end. */
    struct timespec nap = {.tv_nsec = 10000000};
    for (int naps = 0; rmdir(group->path) != 0; naps++) {
        if (errno != EBUSY || naps == MOST_NAPS)
            return "its cgroup stays, with what the command has left running";
        nanosleep(&nap, NULL);
    }
    return NULL;
}
