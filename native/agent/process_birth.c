#define _GNU_SOURCE
#include "process_birth.h"

#include <errno.h>
#include <spawn.h>
#include <unistd.h>

#include "ladder.h"
#include "pins.h"
#include "redirect.h"
#include "report.h"

static int (*spawn_original)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                             char *const[], char *const[]);
static int (*execve_original)(const char *, char *const[], char *const[]);
static int (*execvp_original)(const char *, char *const[]);

static int put_back(pid_t process)
{
    struct level level;
    pins_take_back(process, ladder.rules);
    int error = kernel_get(process, &level);
    return error || level_equals(level, ladder.launch) ? error : kernel_set(process, ladder.launch, false);
}

/* JDK 13 and later spawn jspawnhelper, which waits for its parent's orders before it executes the program. */
static int spawn_hook(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
    int error = spawn_original(process, path, actions, attributes, arguments, environment);
    if (error == 0) {
        int refused = put_back(*process);
        if (refused)
            report_refusal(*process, path, ladder.launch, refused);
    }
    return error;
}

/* In the child of vfork(2) or fork(2): system calls on itself only, it may share its parent's memory. */
static int execve_hook(const char *path, char *const arguments[], char *const environment[])
{
    put_back(0);
    return execve_original(path, arguments, environment);
}

static int execvp_hook(const char *file, char *const arguments[])
{
    put_back(0);
    return execvp_original(file, arguments);
}

bool process_birth_hook(void)
{
    const char *libjava = "libjava.so";
    bool spawn = redirect_calls(libjava, "posix_spawn", (void *)spawn_hook, (void **)&spawn_original);
    bool execve_done = redirect_calls(libjava, "execve", (void *)execve_hook, (void **)&execve_original);
    bool execvp_done = redirect_calls(libjava, "execvp", (void *)execvp_hook, (void **)&execvp_original);
    return spawn || execve_done || execvp_done;
}
