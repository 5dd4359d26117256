#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_ERRNO 134

static atomic_bool said_real_time[MAX_ERRNO];
static atomic_bool said_nice[MAX_ERRNO];
static atomic_bool said_deadline[MAX_ERRNO];

static bool strict;

static __thread int report_fd = STDERR_FILENO;

static void write_line(const char *format, va_list arguments, const char *end)
{
    char line[640] = "ayatori: ";
    size_t length = strlen(line);
    size_t room = sizeof line - length - strlen(end);
    int written = vsnprintf(line + length, room, format, arguments);
    if (written < 0)
        return;
    length += (size_t)written < room ? (size_t)written : room - 1;
    while (*end)
        line[length++] = *end++;
    /* One write(2), so that lines of several threads do not mix. Nobody can be told when that is closed. */
    ssize_t ignored = write(report_fd, line, length);
    (void)ignored;
}

void report_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments, "\n");
    va_end(arguments);
}

void report_be_strict(bool is_strict)
{
    strict = is_strict;
}

void report_lack(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments, strict ? "; not started, as strict asks\n" : "\n");
    va_end(arguments);
    if (strict)
        _exit(2);
}

void report_to(int fd)
{
    report_fd = fd;
}

static bool has_cap_sys_nice(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & (1u << CAP_SYS_NICE));
}

static const char *deadline_remedy(int error)
{
    if (error == EBUSY)
        return "too much of the CPUs is promised to DEADLINE threads: lower DeadlineRuntime= or lengthen "
               "DeadlinePeriod=, of "
               "this rule or of others";
    if (error == EPERM && has_cap_sys_nice())
        return "a DEADLINE thread has to be allowed on every CPU: start the JVM without taskset, and outside of "
               "cpusets";
    return error == EPERM ? "DEADLINE takes CAP_SYS_NICE, no limit allows it (see ayatori doctor)" : strerror(error);
}

void report_remedy(struct level wanted, int error, char *remedy)
{
    const size_t size = REMEDY_TEXT;
    bool real_time = level_is_real_time(wanted);
    if (wanted.policy == SCHED_DEADLINE) {
        snprintf(remedy, size, "%s", deadline_remedy(error));
        return;
    }
    if (error != EPERM && error != EACCES) {
        snprintf(remedy, size, "%s", strerror(error));
        return;
    }
    if (has_cap_sys_nice()) {
        snprintf(remedy, size,
                 "the process has CAP_SYS_NICE, so its cgroup has no real-time budget: "
                 "give it one in cpu.rt_runtime_us, or leave the group (see ayatori doctor)");
        return;
    }
    struct rlimit limit = {0, 0};
    if (real_time) {
        getrlimit(RLIMIT_RTPRIO, &limit);
        snprintf(remedy, size,
                 "RLIMIT_RTPRIO is %llu: raise it (ulimit -r, LimitRTPRIO=) or grant CAP_SYS_NICE (see ayatori doctor)",
                 (unsigned long long)limit.rlim_cur);
    } else {
        getrlimit(RLIMIT_NICE, &limit);
        snprintf(remedy, size,
                 "RLIMIT_NICE is %llu, and this needs %d: raise it (ulimit -e, LimitNICE=) or grant CAP_SYS_NICE "
                 "(see ayatori doctor)",
                 (unsigned long long)limit.rlim_cur, level_rank(wanted));
    }
}

void report_refusal(pid_t tid, const char *name, struct level wanted, int error)
{
    if (error == ESRCH || error <= 0 || error >= MAX_ERRNO) /* it ended meanwhile: nothing is lost */
        return;
    atomic_bool *said = level_is_real_time(wanted) ? said_real_time : said_nice;
    if (wanted.policy == SCHED_DEADLINE)
        said = said_deadline;
    if (atomic_exchange(&said[error], true))
        return;
    struct level kept;
    char wanted_text[LEVEL_TEXT];
    char kept_text[LEVEL_TEXT] = "unknown";
    char remedy[REMEDY_TEXT];
    if (kernel_get(tid, &kept) == 0)
        level_text(kept, kept_text);
    report_remedy(wanted, error, remedy);
    report_line("thread %d \"%s\": wanted %s, kernel kept %s (%s); %s", tid, name, level_text(wanted, wanted_text),
                kept_text, errno_name(error), remedy);
}
