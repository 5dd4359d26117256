/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "scheduler_control.h"

#include "bring_back.h"
#include "command.h"
#include "let_go.h"
#include "loading.h"
#include "members.h"
#include "scheduler.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/* scheduler.bpf.o, put into this program by object.S. */
extern const char scheduler_object[];
extern const char scheduler_object_end[];

/* Where the kernel keeps what is to outlive this process. */
#define BPF_FOLDER "/sys/fs/bpf"
#define FOLDER BPF_FOLDER "/ayatori-aggregate"
#define LINK FOLDER "/link"

static const char *const kept_maps[] = {"cpus", "spaces", "exits"};

struct kept_path {
    char text[sizeof FOLDER + 32];
};

/* Of the kernel's headers, newer than libbpf's. */
enum { SLEEPABLE = 1 << 4, MAP_WITH_LINK = 1 << 13, STRUCT_OPS = 44 };

/* enum scx_exit_kind: as run does when it is killed. */
enum { BY_ITS_LOADER = 64 };

enum { SLICE_MS = 4, BATCH_MS = 64, MOST_PAUSES = 1000 };

static const char name[] = "ayatori";

/* The two sets of operations. */
static const char all_threads[] = "all_threads";
static const char ext_threads[] = "ext_threads";

static struct kept_path kept(const char *map)
{
    struct kept_path path;
    snprintf(path.text, sizeof path.text, FOLDER "/%s", map);
    return path;
}

/* The first line of a file, without its end; empty: there is none. */
static const char *first_line(const char *path, char *line, size_t room)
{
    FILE *file = fopen(path, "re");
    *line = '\0';
    if (file && fgets(line, (int)room, file))
        line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
    return line;
}

/* enabled, disabled, or on the way. */
static const char *state(char *line, size_t room)
{
    return first_line("/sys/kernel/sched_ext/state", line, room);
}

/* The scheduler that the kernel has now; empty: its own. */
static const char *loaded(char *line, size_t room)
{
    if (strcmp(state(line, room), "enabled") != 0)
        return "";
    return first_line("/sys/kernel/sched_ext/root/ops", line, room);
}

static bool is_possible(void)
{
    if (access("/sys/kernel/sched_ext", F_OK) == 0)
        return true;
    fputs("this kernel takes no schedulers: take Linux 6.13 or later with CONFIG_SCHED_CLASS_EXT "
          "(Debian: linux-image-amd64 of sid), or ayatori aggregate run --without-bpf\n",
          stderr);
    return false;
}

static bool is_free(void)
{
    char line[128];
    const char *other = loaded(line, sizeof line);
    if (!*other)
        return true;
    bool ours = strncmp(other, name, strlen(name)) == 0;
    fprintf(stderr, "the kernel has the scheduler %s already, and takes one only: %s\n", other,
            ours ? "see ayatori aggregate status" : "end that one first, by what has started it");
    return false;
}

/*
 * Of how many address spaces a CPU keeps translations: of TLB_NR_DYN_ASIDS by tags (PCID), which not all x86 have and not all
 * hypervisors show; without, of the one that it is with. Elsewhere tags are plenty.
 */
static unsigned tagged_spaces(void)
{
#if defined(__x86_64__)
    FILE *file = fopen("/proc/cpuinfo", "re");
    char *line = NULL;
    size_t room = 0;
    bool tagged = !file;
    while (file && !tagged && getline(&line, &room, file) >= 0 && *line != '\n')
        tagged = strncmp(line, "flags", 5) == 0 && strstr(line, " pcid ");
    free(line);
    if (file)
        fclose(file);
    return tagged ? 6 : 1;
#else
    return 256;
#endif
}

static bool set(struct bpf_object *object, const char *batch)
{
    static const char *const words[] = {[BATCH_NEVER] = "never", [BATCH_AUTO] = "auto", [BATCH_ALWAYS] = "always"};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct scheduler_settings values = {.batch = BATCH_AUTO,
                                        .cpus = cpus > 0 ? cpus : 1,
                                        .tagged = tagged_spaces(),
                                        .slice_ns = SLICE_MS * 1000000ULL,
                                        .batch_ns = BATCH_MS * 1000000ULL};
    bool known = false;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(batch, words[i]) == 0) {
            values.batch = i;
            known = true;
        }
    }
    if (!known)
        fprintf(stderr, "--batch=%s: use never, auto or always\n", batch);
    bpf_map__set_initial_value(bpf_object__find_map_by_name(object, ".rodata.settings"), &values, sizeof values);
    return known;
}

/* Opened and in the kernel, not attached; NULL: said why. */
static struct bpf_object *load(const char *batch)
{
    keep_complaint("");
    LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = name);
    struct bpf_object *object =
        bpf_object__open_mem(scheduler_object, scheduler_object_end - scheduler_object, &options);
    if (!object) {
        refused("opening the scheduler", errno);
        return NULL;
    }
    bpf_map__set_map_flags(bpf_object__find_map_by_name(object, all_threads), MAP_WITH_LINK);
    bpf_map__set_map_flags(bpf_object__find_map_by_name(object, ext_threads), MAP_WITH_LINK);
    bpf_program__set_flags(bpf_object__find_program_by_name(object, "init"), SLEEPABLE);
    int error = set(object, batch) ? 0 : -EINVAL;
    if (!error) {
        error = bpf_object__load(object);
        if (error)
            refused("loading the scheduler into the kernel", -error);
    }
    if (error) {
        bpf_object__close(object);
        return NULL;
    }
    return object;
}

/* A descriptor: as long as it, or a name of it, is there the scheduler is. < 0: said why. */
static int attach(struct bpf_object *object, const char *which)
{
    struct bpf_map *map = bpf_object__find_map_by_name(object, which);
    struct bpf_link *values = bpf_map__attach_struct_ops(map); /* with MAP_WITH_LINK: fills the map in, no more */
    int link = values ? bpf_link_create(bpf_map__fd(map), 0, (enum bpf_attach_type)STRUCT_OPS, NULL) : -errno;
    if (link < 0)
        refused("starting the scheduler", -link);
    return link;
}

static bool become_ext(void)
{
    struct sched_param parameter = {0};
    if (!bring_back_me())
        return false;
    if (sched_setscheduler(0, EXT_POLICY, &parameter) == 0)
        return true;
    say("the command cannot be put under the scheduler");
    return false;
}

/* What is kept, and with it the scheduler of start. Before another is loaded: kernels take the end of one that they have thrown
 * out for the end of the one that they have now; detached, it is over before this returns. */
static void forget(void)
{
    int link = bpf_obj_get(LINK);
    if (link >= 0) {
        let_go(link, true);
        close(link);
    }
    unlink(LINK);
    for (size_t i = 0; i < sizeof kept_maps / sizeof *kept_maps; i++)
        unlink(kept(kept_maps[i]).text);
    rmdir(FOLDER);
}

/* Open, with this lock of flock(2); < 0: errno says why. */
static int lock_folder(const char *path, int how)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || flock(folder, how) == 0)
        return folder;
    int error = errno;
    close(folder);
    errno = error;
    return -1;
}

/* The only one that loads a scheduler or lets it go, until the descriptor is closed. < 0: said why. */
static int enter(void)
{
    struct statfs at;
    if (statfs(BPF_FOLDER, &at) == 0 && at.f_type != BPF_FS_MAGIC &&
        mount("bpf", BPF_FOLDER, "bpf", 0, "mode=700") != 0) {
        refused("mounting the bpf file system at " BPF_FOLDER, errno);
        return -1;
    }
    int turn = lock_folder(BPF_FOLDER, LOCK_EX);
    if (turn < 0)
        refused("waiting for others at " BPF_FOLDER, errno);
    return turn;
}

/* For status. */
static int keep_maps(struct bpf_object *object)
{
    if (mkdir(FOLDER, 0700) != 0)
        return refused("making " FOLDER, errno);
    for (size_t i = 0; i < sizeof kept_maps / sizeof *kept_maps; i++) {
        int map = bpf_object__find_map_fd_by_name(object, kept_maps[i]);
        if (bpf_obj_pin(map, kept(kept_maps[i]).text) != 0)
            return refused("keeping what the scheduler counts in " FOLDER, errno);
    }
    return 0;
}

/* What has been let go is out already, unless the kernel refused that: the next one is to find it done. */
static int wait_until_gone(void)
{
    char line[128];
    struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; i < MOST_PAUSES; i++) {
        if (strcmp(state(line, sizeof line), "disabled") == 0)
            return 0;
        nanosleep(&pause, NULL);
    }
    fprintf(stderr,
            "the kernel has not let go of the scheduler in %d s, nor said disabled in /sys/kernel/sched_ext/state: its "
            "own threads need a moment of a CPU for it, so end or stop what computes on all of them\n",
            MOST_PAUSES / 100);
    return REFUSED;
}

static bool has_left(int exits, struct scheduler_exit *why)
{
    unsigned int only = 0;
    return bpf_map_lookup_elem(exits, &only, why) == 0 && why->kind != 0;
}

static void say_if_thrown_out(int exits)
{
    struct scheduler_exit why;
    if (has_left(exits, &why))
        fprintf(stderr,
                "ayatori aggregate run: the kernel has thrown the scheduler out, the command went on under its own: %s "
                "(%s)\n",
                why.reason, why.message);
}

/* As long as the descriptor is open nobody else loads one: kernels take the end of a link whose scheduler they have thrown out for
 * the end of the one that they have by then. < 0: said why. */
static int hold_place(void)
{
    int place = lock_folder(FOLDER, LOCK_SH);
    if (place < 0)
        refused("holding " FOLDER, errno);
    return place;
}

static bool is_held(void)
{
    int place = lock_folder(FOLDER, LOCK_EX | LOCK_NB);
    bool held = place < 0 && errno == EWOULDBLOCK;
    if (place >= 0)
        close(place);
    if (held)
        fputs("a command of ayatori aggregate run is still there whose scheduler the kernel has thrown out: end it "
              "first\n",
              stderr);
    return held;
}

/* Puts it into the kernel, if that takes one, and keeps its maps. The descriptor that attach() gives; < 0: said why. */
static int install(const char *batch, const char *which, struct bpf_object **object)
{
    if (!is_free() || is_held())
        return -1;
    forget(); /* what one left that the kernel has thrown out, or that was killed */
    *object = load(batch);
    int link = *object ? attach(*object, which) : -1;
    if (link >= 0 && keep_maps(*object) != 0) {
        let_go(link, which == all_threads);
        close(link);
        forget();
        link = -1;
    }
    return link;
}

int scheduler_run(const char *batch, char **words)
{
    int turn = is_possible() ? enter() : -1;
    if (turn < 0)
        return REFUSED;
    struct bpf_object *object;
    int link = install(batch, ext_threads, &object);
    int place = link < 0 ? -1 : hold_place();
    close(turn);
    if (link < 0)
        return REFUSED;
    int code = place < 0 ? REFUSED : bring_back_start();
    if (code == 0) {
        code = run_command(words, become_ext);
        bring_back_stop();
    }
    say_if_thrown_out(bpf_object__find_map_fd_by_name(object, "exits"));
    let_go(link, false);
    close(link);
    bpf_object__close(object);
    int gone = wait_until_gone();
    forget();
    if (place >= 0)
        close(place);
    return code ? code : gone;
}

int scheduler_start(const char *batch)
{
    int turn = is_possible() ? enter() : -1;
    if (turn < 0)
        return REFUSED;
    struct bpf_object *object;
    int link = install(batch, all_threads, &object);
    int code = link < 0 ? REFUSED : 0;
    if (code == 0 && bpf_obj_pin(link, LINK) != 0) {
        code = refused("keeping the scheduler in " FOLDER, errno);
        let_go(link, true);
        forget();
    }
    close(turn);
    return code;
}

int scheduler_stop(void)
{
    if (access(LINK, F_OK) != 0) {
        if (errno != ENOENT)
            return refused("stopping the scheduler", errno);
        fputs("no scheduler of ayatori aggregate start is there\n", stderr);
        return REFUSED;
    }
    int turn = enter();
    if (turn < 0)
        return REFUSED;
    forget();
    int code = wait_until_gone();
    close(turn);
    return code;
}

static int open_map(const char *which)
{
    return bpf_obj_get(kept(which).text);
}

static void print_cpus(int map)
{
    for (unsigned int i = 0; i < SCHEDULER_MOST_CPUS; i++) {
        struct scheduler_cpu cpu;
        if (bpf_map_lookup_elem(map, &i, &cpu) == 0 && cpu.batches + cpu.urgent > 0)
            printf("cpu\t%u\t%llu\t%llu\t%llu\t%llu\t%llu\t%d\n", i, cpu.spaces, cpu.batches, cpu.used_up, cpu.urgent,
                   cpu.pushed, cpu.budget_ns > 0);
    }
}

static void print_spaces(int map)
{
    unsigned long long key;
    const unsigned long long *last = NULL;
    /* Where one goes while we read, the kernel begins again: not for ever. */
    for (int i = 0; i < SCHEDULER_MOST_SPACES && bpf_map_get_next_key(map, last, &key) == 0; i++) {
        struct scheduler_space space;
        last = &key;
        if (bpf_map_lookup_elem(map, &key, &space) != 0)
            continue;
        printf("space\t%u\t", space.pid);
        print_text(space.name, sizeof space.name);
        printf("\t%d\t%llu\t%llu\n", space.threads, space.ran_ns, space.batches);
    }
}

int scheduler_status(void)
{
    char line[128];
    int exits = open_map("exits");
    int cpus = open_map("cpus");
    int spaces = open_map("spaces");
    if ((exits < 0 || cpus < 0 || spaces < 0) && errno != ENOENT)
        return refused("reading what the scheduler counts in " FOLDER, errno);
    struct scheduler_exit why = {0};
    bool left = exits >= 0 && has_left(exits, &why);
    if (exits < 0 || cpus < 0 || spaces < 0 || why.kind == BY_ITS_LOADER) {
        fputs("no scheduler of ayatori aggregate is there\n", stderr);
        return REFUSED;
    }
    printf("ayatori-scheduler\t1\nloaded\t%s\n", loaded(line, sizeof line));
    if (left) {
        printf("left\t%d\t", why.kind);
        print_text(why.reason, sizeof why.reason);
        putchar('\t');
        print_text(why.message, sizeof why.message);
        putchar('\n');
    }
    print_cpus(cpus);
    print_spaces(spaces);
    puts("end");
    if (fflush(stdout) != 0 || ferror(stdout))
        return refused("writing to standard output", errno);
    return 0;
}
