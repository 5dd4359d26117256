/*
 * Binds the C library's functions to the versions that glibc 2.17 (RHEL 7, 2012) has already, so that an agent that
 * is built on a new host loads on an old one. Included into every file by the compiler's -include; the build checks
 * the result with objdump. glibc 2.34 moved libpthread and libdl into libc and gave their functions a new version.
 */
#ifndef AYATORI_GLIBC_COMPAT_H
#define AYATORI_GLIBC_COMPAT_H

#if defined(__x86_64__)
#define AYATORI_GLIBC_BASE "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define AYATORI_GLIBC_BASE "GLIBC_2.17"
#else
#error "Ayatori's agent knows x86-64 and AArch64"
#endif

#ifndef AYATORI_SANITIZED /* sanitizers interpose these functions under their default versions */
#define AYATORI_OLD(symbol) __asm__(".symver " #symbol "," #symbol "@" AYATORI_GLIBC_BASE)
AYATORI_OLD(dlopen);
AYATORI_OLD(dlsym);
AYATORI_OLD(pthread_create);
AYATORI_OLD(pthread_getcpuclockid);
#if defined(__x86_64__)
__asm__(".symver pthread_mutexattr_setprotocol,pthread_mutexattr_setprotocol@GLIBC_2.4");
#else
AYATORI_OLD(pthread_mutexattr_setprotocol);
#endif
AYATORI_OLD(pthread_join);
AYATORI_OLD(pthread_key_create);
AYATORI_OLD(pthread_mutex_timedlock);
AYATORI_OLD(pthread_mutexattr_destroy);
AYATORI_OLD(pthread_mutexattr_init);
AYATORI_OLD(pthread_setspecific);
AYATORI_OLD(pthread_sigmask);
#endif

#endif
