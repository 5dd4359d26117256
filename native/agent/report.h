/* What could not be done, said once per cause on standard error. Any thread may call; nothing here allocates. */
#ifndef AYATORI_REPORT_H
#define AYATORI_REPORT_H

#include <stdbool.h>

#include "kernel_sched.h"

/* One line, "ayatori: …", on standard error, or where the calling thread's reports go at the moment. */
void report_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The same for what this JVM or this host lacks; while strictness is asked for, the process ends with exit code 2. Before
 * the program's main only.
 */
void report_lack(const char *format, ...) __attribute__((format(printf, 1, 2)));
void report_be_strict(bool strict);

/* Where the calling thread's reports go from here on: a descriptor that it opened for writing. */
void report_to(int fd);

/*
 * `tid`, named `name`, wanted `wanted`, and the kernel answered `error`: reads back what it kept and says so with the
 * remedy. Later refusals with the same errno for the same kind of level are not printed.
 */
void report_refusal(pid_t tid, const char *name, struct level wanted, int error);

/* What would make the kernel grant `wanted`, which it refused with `error`, into REMEDY_TEXT bytes. */
#define REMEDY_TEXT 256
void report_remedy(struct level wanted, int error, char *remedy);

#endif
