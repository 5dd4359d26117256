#define _GNU_SOURCE
#include "round_trip.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_SECONDS 120
#define PAGE_SIZE 4096

void peer_require(bool succeeded, const char *what)
{
    if (!succeeded) {
        fprintf(stderr, "%s: %s\n", what, strerror(errno));
        exit(1);
    }
}

void peer_ready(void)
{
    puts("result,ready,1");
    fflush(stdout);
}

void *peer_page(const char *place)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/page", place);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    peer_require(fd >= 0 && ftruncate(fd, PAGE_SIZE) == 0, path);
    void *page = mmap(NULL, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    peer_require(page != MAP_FAILED, path);
    close(fd);
    return page;
}

static long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void measure(const struct peer *peer, long warm_up, long calls)
{
    long *nanos = malloc((size_t)calls * sizeof *nanos);
    peer_require(nanos != NULL, "memory for the results");
    memset(nanos, 1, (size_t)calls * sizeof *nanos); /* so that no page is missing while it measures */
    for (long i = -warm_up; i < calls; i++) {
        long begin = now();
        peer->call();
        long took = now() - begin;
        if (i >= 0)
            nanos[i] = took;
    }
    for (long i = 0; i < calls; i++)
        printf("result,call,%ld\n", nanos[i]);
    free(nanos);
}

int peer_main(int argc, char **argv, const struct peer *peer)
{
    alarm(LIMIT_SECONDS);
    if (argc == 3 && strcmp(argv[1], "server") == 0) {
        peer->serve(argv[2]);
        return 0;
    }
    long warm_up = argc == 5 ? strtol(argv[3], NULL, 10) : -1;
    long calls = argc == 5 ? strtol(argv[4], NULL, 10) : 0;
    if (argc == 5 && strcmp(argv[1], "client") == 0 && warm_up >= 0 && calls > 0) {
        peer->connect(argv[2]);
        measure(peer, warm_up, calls);
        return 0;
    }
    fprintf(stderr, "usage: %s server PLACE | client PLACE WARM_UP CALLS\n", argv[0]);
    return 2;
}
