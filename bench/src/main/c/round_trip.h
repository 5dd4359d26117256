#pragma once
/*
 * What the peers of `bench/run roundtrip` have in common. Each is one program for both sides:
 *   PROGRAM server PLACE                  prints "result,ready,1" when a client may come, and serves until it is ended
 *   PROGRAM client PLACE WARM_UP CALLS    prints "result,call,NANOSECONDS" for each call after the warm-up
 * PLACE is a folder of their own where the two find each other. Either side ends by itself after two minutes.
 */
#include <stdbool.h>

struct peer {
    /* Serves; says peer_ready() before the first call may come. */
    void (*serve)(const char *place);
    /* Connects the client. */
    void (*connect)(const char *place);
    /* Calls, and waits for the answer. */
    void (*call)(void);
};

/* What main returns. */
int peer_main(int argc, char **argv, const struct peer *peer);

void peer_ready(void);

/* Ends the program with what was to be done, and errno, unless it succeeded. */
void peer_require(bool succeeded, const char *what);

/* A page of zeros that both sides see: the file PLACE/page. */
void *peer_page(const char *place);
