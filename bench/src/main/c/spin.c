/* Two words in a page that two processes share, and both sides poll: what a round trip takes without the kernel. */
#define _GNU_SOURCE
#include "round_trip.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

/* A side that hears nothing of the other for so long ends, so that it does not keep a CPU from everybody. */
#define SILENCE_SECONDS 5
#define TURNS_BETWEEN_LOOKS (1L << 16)

/* On one cache line: a round trip moves it there and back. */
struct page {
    _Alignas(64) _Atomic uint32_t requests;
    _Atomic uint32_t answers;
};

static struct page *page;

static void relax(void)
{
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static long seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void await(_Atomic uint32_t *word, uint32_t old)
{
    long begin = 0;
    for (long turn = 1; atomic_load_explicit(word, memory_order_acquire) == old; turn++) {
        relax();
        if (turn % TURNS_BETWEEN_LOOKS == 0) {
            begin = begin == 0 ? seconds() : begin;
            errno = ETIMEDOUT;
            peer_require(seconds() - begin <= SILENCE_SECONDS, "the other side");
        }
    }
}

static void connect_page(const char *place)
{
    page = peer_page(place);
}

static void serve(const char *place)
{
    connect_page(place);
    peer_ready();
    /* The client takes its time to start, and the CPU is not ours alone until then. */
    while (atomic_load(&page->requests) == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    for (uint32_t served = 0;; served++) {
        await(&page->requests, served);
        atomic_store_explicit(&page->answers, served + 1, memory_order_release);
    }
}

static void call(void)
{
    uint32_t answered = atomic_load_explicit(&page->answers, memory_order_relaxed);
    atomic_store_explicit(&page->requests, answered + 1, memory_order_release);
    await(&page->answers, answered);
}

int main(int argc, char **argv)
{
    static const struct peer spin = {serve, connect_page, call};
    return peer_main(argc, argv, &spin);
}
