/* For LD_PRELOAD: HotSpot's threads bear no names, as in early builds of JDK 8. */
#include <pthread.h>

int pthread_setname_np(pthread_t thread, const char *name)
{
    (void)thread;
    (void)name;
    return 0;
}
