/* The Java library's way into the ledger, by thread id. Levels are ranks; results are 0 or -errno. */
#include <errno.h>

#include "ladder.h"
#include "ledger.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int32_t ayatori_ledger_abi(void);
EXPORTED int32_t ayatori_ledger_owe(int32_t tid, int32_t rank, uint64_t creditor);
EXPORTED int32_t ayatori_ledger_settle(int32_t tid, uint64_t creditor);
EXPORTED int32_t ayatori_ledger_set_own(int32_t tid, int32_t policy, int32_t value);
EXPORTED int32_t ayatori_ledger_level(int32_t tid);
EXPORTED int32_t ayatori_ledger_lent_rank(int32_t java_priority);

int32_t ayatori_ledger_abi(void)
{
    return 1;
}

int32_t ayatori_ledger_owe(int32_t tid, int32_t rank, uint64_t creditor)
{
    return -ledger_owe(ledger_find(tid), rank, creditor);
}

int32_t ayatori_ledger_settle(int32_t tid, uint64_t creditor)
{
    return -ledger_settle(ledger_find(tid), creditor);
}

int32_t ayatori_ledger_set_own(int32_t tid, int32_t policy, int32_t value)
{
    return -ledger_set_own_level(ledger_find(tid), (struct level){policy, value});
}

int32_t ayatori_ledger_level(int32_t tid)
{
    int rank = ledger_rank(ledger_find(tid));
    return rank >= 0 ? rank : -ESRCH;
}

/* The rank that a Java thread of this priority lends to whom it waits for; 0 under `none`. */
int32_t ayatori_ledger_lent_rank(int32_t java_priority)
{
    if (ladder.policy == LEDGER_POLICY_NONE) {
        return 0;
    }
    return ladder_lent_rank(&ladder, level_rank(ladder_level(&ladder, LEDGER_KIND_JAVA, java_priority, false)));
}
