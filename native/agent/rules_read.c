/* The reading of rules: a file becomes a struct rules, or its first mistake a sentence. */
#define _GNU_SOURCE
#include "rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LARGEST_FILE (1 << 20)

#define BLANKS " \t\r\f\v"
#define BYTE_ORDER_MARK "\xEF\xBB\xBF" /* some editors leave it at the beginning */

/* Of linux/ioprio.h, which older headers do not have. */
#define IO_REAL_TIME 1
#define IO_BEST_EFFORT 2
#define IO_IDLE 3
#define IO_PRIORITY(class, data) ((class) << 13 | (data))

/* SCHED_DEADLINE counts in units of 2^10 ns. The kernel clamps slices to the second two. */
#define SHORTEST_RUNTIME 1024
#define SHORTEST_SLICE 100000
#define LONGEST_SLICE 100000000

enum key {
    POLICY,
    PRIORITY,
    NICE,
    SLICE,
    DEADLINE_RUNTIME,
    DEADLINE_DEADLINE,
    DEADLINE_PERIOD,
    AFFINITY,
    IO_CLASS,
    IO_LEVEL,
    KEYS
};

struct reader {
    const char *path;
    const struct ladder *ladder;
    int lowest; /* real-time value that a rule may ask for */
    char *message;
    size_t message_size;
    struct rules *rules;
    size_t capacity;
    int line;          /* that is being read, from 1 */
    struct rule *rule; /* of the present section, NULL before the first */
    int lines[KEYS];   /* where it has which key, 0 if it has not */
    int io_class, io_level;
};

__attribute__((format(printf, 3, 4))) static bool refuse(struct reader *reader, int line, const char *format, ...)
{
    va_list arguments;
    int length = snprintf(reader->message, reader->message_size, "%s:%d: ", reader->path, line);
    if (length < 0 || (size_t)length >= reader->message_size)
        return false;
    va_start(arguments, format);
    vsnprintf(reader->message + length, reader->message_size - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static bool has(const struct reader *reader, enum key key)
{
    return reader->lines[key] != 0;
}

/* A whole number of at most nine digits, at the beginning of `text`, whose rest is put into `rest`. -1 if there is none. */
static long number_at(const char *text, const char **rest)
{
    long number = 0;
    const char *digit = text;
    for (; *digit >= '0' && *digit <= '9'; digit++) {
        if (digit - text == 9)
            return -1;
        number = number * 10 + (*digit - '0');
    }
    *rest = digit;
    return digit == text ? -1 : number;
}

static bool number_between(const char *text, int lowest, int highest, int *number)
{
    const char *rest = text;
    bool negative = *text == '-';
    long magnitude = number_at(text + negative, &rest);
    long value = negative ? -magnitude : magnitude;
    *number = (int)value;
    return magnitude >= 0 && !*rest && value >= lowest && value <= highest;
}

/* The whole of a small file into `text`, NUL-terminated. False with errno, EFBIG if it does not fit. */
static bool read_file(const char *path, char *text, size_t size, size_t *length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    *length = 0;
    ssize_t count = lseek(fd, 0, SEEK_CUR); /* ESPIPE: the command and the agent could not both read it */
    while (count >= 0 && ((count = read(fd, text + *length, size - *length)) > 0))
        *length += (size_t)count;
    int error = count < 0 ? errno : *length == size ? EFBIG : 0;
    close(fd);
    errno = error;
    if (error)
        return false;
    text[*length] = '\0';
    return true;
}

/* ------------------------------------------------------------------------------------------ values, one key each */

static bool read_policy(struct reader *reader, const char *value)
{
    static const struct {
        const char *name;
        int policy;
    } policies[] = {
        {"other", SCHED_OTHER}, {"batch", SCHED_BATCH}, {"idle", SCHED_IDLE},
        {"fifo", SCHED_FIFO},   {"rr", SCHED_RR},       {"deadline", SCHED_DEADLINE},
    };
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        if (strcmp(value, policies[i].name) == 0) {
            reader->rule->policy = policies[i].policy;
            return true;
        }
    }
    return refuse(reader, reader->line, "CPUSchedulingPolicy=%s: it is one of other, batch, idle, fifo, rr, deadline",
                  value);
}

/* A Java thread stays below the VM Thread; the JVM's own may be beside it. */
static bool read_priority(struct reader *reader, const char *value)
{
    int rung = reader->ladder->rungs[LEDGER_KIND_VM_THREAD];
    int vm_thread = rung > 0 ? rung : LADDER_RT_VM_THREAD;
    bool jvm_own = reader->rule->selector == RULE_KIND && reader->rule->kind > LEDGER_KIND_VM_THREAD;
    int highest = jvm_own ? vm_thread : vm_thread - 1;
    int below;
    if (number_between(value, 1, reader->lowest - 1, &below)) {
        return refuse(reader, reader->line, "CPUSchedulingPriority=%s: it is %d to %d here; the band begins at %d",
                      value, reader->lowest, highest, reader->lowest);
    }
    return number_between(value, reader->lowest, highest, &reader->rule->value) ||
           refuse(
               reader, reader->line,
               "CPUSchedulingPriority=%s: it is %d to %d here; the VM Thread stands at %d, and a thread above it can "
               "stop the whole JVM; --band LOW-HIGH puts the JVM elsewhere",
               value, reader->lowest, highest, vm_thread);
}

static bool read_nice(struct reader *reader, const char *value)
{
    reader->rule->sets_value = true;
    return number_between(value, -20, 19, &reader->rule->value) ||
           refuse(reader, reader->line, "Nice=%s: it is -20 (first) to 19", value);
}

static bool read_time(struct reader *reader, const char *key, const char *value, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    const char *unit = value;
    long number = number_at(value, &unit);
    for (size_t i = 0; number >= 0 && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) == 0) {
            *ns = (uint64_t)number * units[i].ns;
            return true;
        }
    }
    return refuse(reader, reader->line, "%s=%s: it is a whole number with its unit, ns, us, ms or s, such as 10ms", key,
                  value);
}

/* Slices of threads are of Linux 6.12; before, sched_setattr(2) does not look at the field. */
static bool kernel_has_slices(const char **release)
{
    static struct utsname name;
    const char *rest = "";
    uname(&name);
    *release = name.release;
    long major = number_at(name.release, &rest);
    long minor = *rest == '.' ? number_at(rest + 1, &rest) : 0;
    return major > 6 || (major == 6 && minor >= 12);
}

static bool read_slice(struct reader *reader, const char *value)
{
    const char *release;
    uint64_t *slice = &reader->rule->timing.runtime;
    if (!read_time(reader, "SliceTime", value, slice))
        return false;
    if (*slice < SHORTEST_SLICE || *slice > LONGEST_SLICE)
        return refuse(reader, reader->line, "SliceTime=%s: it is 100us to 100ms", value);
    return kernel_has_slices(&release) ||
           refuse(reader, reader->line, "SliceTime=%s: it takes Linux 6.12 or later, and this is %s", value, release);
}

static bool read_deadline_runtime(struct reader *reader, const char *value)
{
    return read_time(reader, "DeadlineRuntime", value, &reader->rule->timing.runtime);
}

static bool read_deadline_deadline(struct reader *reader, const char *value)
{
    return read_time(reader, "DeadlineDeadline", value, &reader->rule->timing.deadline);
}

static bool read_deadline_period(struct reader *reader, const char *value)
{
    return read_time(reader, "DeadlinePeriod", value, &reader->rule->timing.period);
}

/* `0 2-3` or `0,2-3`, as in /sys. False if it is neither; a number beyond the set is left in `beyond`. */
static bool read_cpus(const char *text, cpu_set_t *cpus, long *beyond)
{
    CPU_ZERO(cpus);
    *beyond = -1;
    while (*(text += strspn(text, BLANKS ",\n"))) {
        long first = number_at(text, &text);
        long last = first >= 0 && *text == '-' ? number_at(text + 1, &text) : first;
        if (first < 0 || last < first || !strchr(BLANKS ",\n", *text))
            return false;
        if (last >= CPU_SETSIZE) {
            *beyond = last;
            return true;
        }
        for (long cpu = first; cpu <= last; cpu++)
            CPU_SET((int)cpu, cpus);
    }
    return CPU_COUNT(cpus) > 0;
}

static bool read_affinity(struct reader *reader, const char *value)
{
    char online_text[256];
    size_t length;
    cpu_set_t online;
    long absent;
    long none;
    if (!read_cpus(value, &reader->rule->cpus, &absent))
        return refuse(reader, reader->line, "CPUAffinity=%s: it is a list of CPUs, such as 0 2-3", value);
    if (!read_file("/sys/devices/system/cpu/online", online_text, sizeof online_text, &length) ||
        !read_cpus(online_text, &online, &none)) {
        reader->rule->pins = absent < 0; /* no /sys in this container: the kernel will say */
        return true;
    }
    for (int cpu = 0; absent < 0 && cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &reader->rule->cpus) && !CPU_ISSET(cpu, &online))
            absent = cpu;
    online_text[strcspn(online_text, "\n")] = '\0';
    reader->rule->pins = true;
    return absent < 0 || refuse(reader, reader->line, "CPUAffinity=%s: there is no CPU %ld here, they are %s", value,
                                absent, online_text);
}

static bool read_io_class(struct reader *reader, const char *value)
{
    static const char *const names[] = {NULL, "realtime", "best-effort", "idle"};
    for (int i = IO_REAL_TIME; i <= IO_IDLE; i++) {
        if (strcmp(value, names[i]) == 0) {
            reader->io_class = i;
            return true;
        }
    }
    return refuse(reader, reader->line, "IOSchedulingClass=%s: it is one of realtime, best-effort, idle", value);
}

static bool read_io_level(struct reader *reader, const char *value)
{
    return number_between(value, 0, 7, &reader->io_level) ||
           refuse(reader, reader->line, "IOSchedulingPriority=%s: it is 0 (first) to 7", value);
}

static const struct {
    const char *name;
    bool (*read)(struct reader *reader, const char *value);
} keys[KEYS] = {
    [POLICY] = {"CPUSchedulingPolicy", read_policy},
    [PRIORITY] = {"CPUSchedulingPriority", read_priority},
    [NICE] = {"Nice", read_nice},
    [SLICE] = {"SliceTime", read_slice},
    [DEADLINE_RUNTIME] = {"DeadlineRuntime", read_deadline_runtime},
    [DEADLINE_DEADLINE] = {"DeadlineDeadline", read_deadline_deadline},
    [DEADLINE_PERIOD] = {"DeadlinePeriod", read_deadline_period},
    [AFFINITY] = {"CPUAffinity", read_affinity},
    [IO_CLASS] = {"IOSchedulingClass", read_io_class},
    [IO_LEVEL] = {"IOSchedulingPriority", read_io_level},
};

/* ------------------------------------------------------------------------------- what a section says as a whole */

/* Keys that mean nothing without a policy that they belong to. */
static bool keys_have_their_policy(struct reader *reader)
{
    const struct rule *rule = reader->rule;
    bool real_time = rule->policy == SCHED_RR || rule->policy == SCHED_FIFO;
    bool fair = rule->policy == RULE_LEAVES_POLICY || rule->policy == SCHED_OTHER || rule->policy == SCHED_BATCH;
    if (has(reader, PRIORITY) && !real_time)
        return refuse(reader, reader->lines[PRIORITY],
                      "CPUSchedulingPriority= belongs to CPUSchedulingPolicy=rr or fifo, which this section has not");
    if (has(reader, NICE) && !fair)
        return refuse(reader, reader->lines[NICE], "Nice= counts under CPUSchedulingPolicy=other and batch alone");
    if (has(reader, SLICE) && !fair)
        return refuse(reader, reader->lines[SLICE],
                      "SliceTime= counts under CPUSchedulingPolicy=other and batch alone");
    for (int key = DEADLINE_RUNTIME; key <= DEADLINE_PERIOD; key++)
        if (has(reader, key) && rule->policy != SCHED_DEADLINE)
            return refuse(reader, reader->lines[key],
                          "%s= belongs to CPUSchedulingPolicy=deadline, which this section has not", keys[key].name);
    if (has(reader, IO_LEVEL) && !has(reader, IO_CLASS))
        return refuse(reader, reader->lines[IO_LEVEL],
                      "IOSchedulingPriority= belongs to an IOSchedulingClass=, which this section has not");
    return true;
}

static bool real_time_is_safe(struct reader *reader)
{
    const struct rule *rule = reader->rule;
    int line = reader->lines[POLICY];
    bool for_vm_thread = rule->selector == RULE_KIND && rule->kind == LEDGER_KIND_VM_THREAD;
    for (int key = POLICY; key <= SLICE; key++)
        if (has(reader, key) && for_vm_thread && ladder_is_real_time(reader->ladder))
            return refuse(reader, reader->lines[key],
                          "the VM Thread stands above all others, where policy %s puts it: a rule for it may have "
                          "CPUAffinity= and IOScheduling…= alone; --band LOW-HIGH moves it",
                          ladder_policy_name(reader->ladder->policy));
    if (rule->policy != SCHED_RR && rule->policy != SCHED_FIFO)
        return true;
    if (!ladder_is_real_time(reader->ladder))
        return refuse(reader, line,
                      "a real-time thread needs the VM Thread above it, where policy %s does not put it: take policy "
                      "mixed or static",
                      ladder_policy_name(reader->ladder->policy));
    reader->rules->real_time = true;
    return has(reader, PRIORITY) || refuse(reader, line, "this policy needs a CPUSchedulingPriority= beside it");
}

/* What the kernel takes at all, in µs; `otherwise` if it does not say. */
static uint64_t period_limit(const char *path, uint64_t otherwise)
{
    char text[32];
    size_t length;
    const char *rest = text;
    long us = read_file(path, text, sizeof text, &length) ? number_at(text, &rest) : -1;
    return us > 0 ? (uint64_t)us : otherwise;
}

static bool deadline_is_possible(struct reader *reader)
{
    struct timing *timing = &reader->rule->timing;
    if (!has(reader, DEADLINE_RUNTIME) || !has(reader, DEADLINE_PERIOD))
        return refuse(reader, reader->lines[POLICY], "deadline needs DeadlineRuntime= and DeadlinePeriod= beside it");
    if (!has(reader, DEADLINE_DEADLINE))
        timing->deadline = timing->period;
    if (timing->runtime < SHORTEST_RUNTIME)
        return refuse(reader, reader->lines[DEADLINE_RUNTIME], "DeadlineRuntime= is 1024ns at least");
    if (timing->deadline > timing->period)
        return refuse(reader, reader->lines[DEADLINE_DEADLINE], "DeadlineDeadline= is longer than DeadlinePeriod=");
    if (timing->runtime > timing->deadline)
        return refuse(reader, reader->lines[DEADLINE_RUNTIME], "DeadlineRuntime= is longer than %s=",
                      has(reader, DEADLINE_DEADLINE) ? "DeadlineDeadline" : "DeadlinePeriod");
    uint64_t least = period_limit("/proc/sys/kernel/sched_deadline_period_min_us", 100);
    uint64_t most = period_limit("/proc/sys/kernel/sched_deadline_period_max_us", 1 << 22);
    if (timing->period < least * 1000 || timing->period > most * 1000)
        return refuse(reader, reader->lines[DEADLINE_PERIOD],
                      "DeadlinePeriod= is %lluus to %lluus on this host (kernel.sched_deadline_period_min_us, …max_us)",
                      (unsigned long long)least, (unsigned long long)most);
    return !has(reader, AFFINITY) ||
           refuse(reader, reader->lines[AFFINITY],
                  "a DEADLINE thread cannot be pinned (the kernel would answer EBUSY or EPERM): leave CPUAffinity= or "
                  "CPUSchedulingPolicy=deadline out");
}

static bool end_section(struct reader *reader)
{
    struct rule *rule = reader->rule;
    if (!rule)
        return true;
    if (has(reader, NICE) && rule->policy == RULE_LEAVES_POLICY)
        rule->policy = SCHED_OTHER; /* nice means nothing to a real-time thread */
    if (!keys_have_their_policy(reader) || !real_time_is_safe(reader) ||
        (rule->policy == SCHED_DEADLINE && !deadline_is_possible(reader)))
        return false;
    if (has(reader, IO_CLASS)) {
        int level = has(reader, IO_LEVEL) ? reader->io_level : reader->io_class == IO_IDLE ? 7 : 4;
        rule->io_priority = IO_PRIORITY(reader->io_class, level);
        reader->rules->sets_io = true;
    }
    reader->rules->pins |= rule->pins;
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- lines */

/* Cuts blanks off both ends. */
static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]))
        text[--length] = '\0';
    return text;
}

static bool read_kind(struct reader *reader, const char *name, struct rule *rule)
{
    static const char *const names[] = {
        [LEDGER_KIND_JAVA] = "java",
        [LEDGER_KIND_CARRIER] = "carrier",
        [LEDGER_KIND_JAVA_SYSTEM] = "java-system",
        [LEDGER_KIND_VM_THREAD] = "vm-thread",
        [LEDGER_KIND_GC_WORKER] = "gc-worker",
        [LEDGER_KIND_CONCURRENT_GC] = "concurrent-gc",
        [LEDGER_KIND_COMPILER] = "compiler",
        [LEDGER_KIND_JVM_OTHER] = "jvm-other",
    };
    for (unsigned kind = LEDGER_KIND_JAVA; kind <= LEDGER_KIND_JVM_OTHER; kind++) {
        if (strcmp(name, names[kind]) == 0) {
            rule->kind = kind;
            return true;
        }
    }
    return refuse(reader, reader->line,
                  "[Kind %s]: it is one of java, carrier, java-system, vm-thread, gc-worker, concurrent-gc, compiler, "
                  "jvm-other",
                  name);
}

static bool read_selector(struct reader *reader, const char *header, struct rule *rule)
{
    static const char *const words[] = {"Thread", "Group", "Kind"};
    for (int selector = RULE_THREAD; selector <= RULE_KIND; selector++) {
        size_t length = strlen(words[selector]);
        size_t blanks = strncmp(header, words[selector], length) == 0 ? strspn(header + length, BLANKS) : 0;
        const char *pattern = header + length + blanks;
        if (blanks == 0 || !*pattern)
            continue;
        rule->selector = selector;
        rule->pattern = pattern;
        reader->rules->by_group |= selector == RULE_GROUP;
        return selector != RULE_KIND || read_kind(reader, pattern, rule);
    }
    return refuse(reader, reader->line, "[%s]: a section is [Thread NAME], [Group NAME] or [Kind NAME]", header);
}

static bool is_same_selector(const struct rule *a, const struct rule *b)
{
    return a->selector == b->selector && strcmp(a->pattern, b->pattern) == 0;
}

static bool begin_section(struct reader *reader, char *text)
{
    size_t length = strlen(text);
    if (text[length - 1] != ']')
        return refuse(reader, reader->line, "the section's header does not end with ]");
    text[length - 1] = '\0';
    struct rule rule = {.pattern = "", .policy = RULE_LEAVES_POLICY, .io_priority = RULE_LEAVES_IO};
    if (!end_section(reader) || !read_selector(reader, trim(text + 1), &rule))
        return false;
    struct rules *rules = reader->rules;
    for (size_t i = 0; i < rules->count; i++)
        if (is_same_selector(&rules->rules[i], &rule))
            return refuse(reader, reader->line, "[%s] is there already, and the first section that matches counts",
                          trim(text + 1));
    if (rules->count == reader->capacity) {
        reader->capacity = reader->capacity ? 2 * reader->capacity : 16;
        struct rule *grown = realloc(rules->rules, reader->capacity * sizeof *grown);
        if (!grown)
            return refuse(reader, reader->line, "no memory left");
        rules->rules = grown;
    }
    rules->rules[rules->count++] = rule;
    reader->rule = &rules->rules[rules->count - 1];
    memset(reader->lines, 0, sizeof reader->lines);
    return true;
}

static bool read_setting(struct reader *reader, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals)
        return refuse(reader, reader->line, "\"%s\": a line is [Section], Key=value or # comment", text);
    if (!reader->rule)
        return refuse(reader, reader->line, "\"%s\" stands before the first section", text);
    *equals = '\0';
    char *value = equals + 1;
    for (char *hash = value; (hash = strchr(hash, '#')); hash++) {
        if (hash > value && strchr(BLANKS, hash[-1])) {
            *hash = '\0';
            break;
        }
    }
    const char *name = trim(text);
    for (int key = 0; key < KEYS; key++) {
        if (strcmp(name, keys[key].name) != 0)
            continue;
        if (has(reader, key))
            return refuse(reader, reader->line, "%s= is in line %d of this section already", name, reader->lines[key]);
        reader->lines[key] = reader->line;
        return keys[key].read(reader, trim(value));
    }
    return refuse(
        reader, reader->line,
        "unknown key %s: keys are CPUSchedulingPolicy, CPUSchedulingPriority, Nice, SliceTime, DeadlineRuntime, "
        "DeadlineDeadline, DeadlinePeriod, CPUAffinity, IOSchedulingClass, IOSchedulingPriority",
        name);
}

static bool read_lines(struct reader *reader, char *text, size_t length)
{
    char *end = text + length;
    if (strncmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0)
        text += strlen(BYTE_ORDER_MARK);
    while (text < end) {
        char *newline = memchr(text, '\n', (size_t)(end - text));
        char *line_end = newline ? newline : end;
        reader->line++;
        *line_end = '\0';
        if (strlen(text) != (size_t)(line_end - text))
            return refuse(reader, reader->line, "there is a NUL byte in it: is this a text file?");
        char *line = trim(text);
        bool good = !*line || *line == '#' || *line == ';' ||
                    (*line == '[' ? begin_section(reader, line) : read_setting(reader, line));
        if (!good)
            return false;
        text = line_end + 1;
    }
    return end_section(reader);
}

void rules_free(const struct rules *rules)
{
    if (!rules)
        return;
    free(rules->text);
    free(rules->rules);
    free((void *)rules);
}

const struct rules *rules_read(const char *path, const struct ladder *ladder, int lowest, char *message, size_t size)
{
    struct rules *rules = calloc(1, sizeof *rules);
    char *text = malloc(LARGEST_FILE);
    struct reader reader = {
        .path = path, .ladder = ladder, .lowest = lowest, .message = message, .message_size = size, .rules = rules};
    size_t length = 0;
    if (!rules || !text) {
        snprintf(message, size, "cannot read rules %s: no memory left", path);
    } else if (!read_file(path, text, LARGEST_FILE, &length)) {
        snprintf(message, size, "cannot read rules %s: %s", path,
                 errno == ESPIPE ? "a pipe cannot be read twice; take a file" : strerror(errno));
    } else {
        char *kept = realloc(text, length + 1);
        rules->text = kept ? kept : text;
        if (read_lines(&reader, rules->text, length))
            return rules;
        text = NULL;
    }
    free(text);
    rules_free(rules);
    return NULL;
}
