#define _GNU_SOURCE
#include "self.h"

#include <pthread.h>

#include "kernel_sched.h"

__thread struct self self;

atomic_uint self_asks = 1;

static pthread_key_t others;

/* At the end of a thread that was not born under the agent's eyes: birth.c takes out those that were. */
static void leave(void *unused)
{
    (void)unused;
    ledger_leave(self.id);
    self.id = 0;
}

void self_prepare(void)
{
    pthread_key_create(&others, leave);
}

ledger_id self_entry(void)
{
    unsigned asks = atomic_load(&self_asks);
    if (self.id || self.asked == asks) {
        self.asked = asks;
        return self.id;
    }
    struct ledger_view view;
    self.id = ledger_show_signs(kernel_gettid(), &self.signs, &view);
    if (self.id || !self.is_newborn)
        self.asked = asks;
    if (self.id) {
        self.is_jvms_own = view.kind >= LEDGER_KIND_VM_THREAD;
        self.java_thread = view.java_thread;
        if (!self.is_newborn)
            pthread_setspecific(others, &others);
    }
    return self.id;
}
