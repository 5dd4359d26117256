/*
 * Processes that the JVM starts are born with the policy and nice that the JVM was launched with, whichever thread
 * starts them, and whichever way ProcessBuilder takes (jdk.lang.Process.launchMechanism).
 */
#ifndef AYATORI_PROCESS_BIRTH_H
#define AYATORI_PROCESS_BIRTH_H

#include <stdbool.h>

/* Hooks posix_spawn, execve and execvp where libjava calls them. From VMInit: libjava is loaded by then. */
bool process_birth_hook(void);

#endif
