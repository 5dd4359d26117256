/* Two futex words in a page that two processes share: each side blocks in the kernel until the other has moved its word on. */
#define _GNU_SOURCE
#include "round_trip.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

struct page {
    _Alignas(64) _Atomic uint32_t requests;
    _Alignas(64) _Atomic uint32_t answers;
};

static struct page *page;

static void move_on(_Atomic uint32_t *word)
{
    atomic_fetch_add(word, 1);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void await(_Atomic uint32_t *word, uint32_t old)
{
    while (atomic_load(word) == old)
        syscall(SYS_futex, word, FUTEX_WAIT, old, NULL, NULL, 0);
}

static void connect_page(const char *place)
{
    page = peer_page(place);
}

static void serve(const char *place)
{
    connect_page(place);
    peer_ready();
    for (uint32_t served = 0;; served++) {
        await(&page->requests, served);
        move_on(&page->answers);
    }
}

static void call(void)
{
    uint32_t answered = atomic_load(&page->answers);
    move_on(&page->requests);
    await(&page->answers, answered);
}

int main(int argc, char **argv)
{
    static const struct peer futex = {serve, connect_page, call};
    return peer_main(argc, argv, &futex);
}
