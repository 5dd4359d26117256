/* Java threads: who they are, where they stand, and the calls by which a program moves them. */
#ifndef AYATORI_JAVA_THREADS_H
#define AYATORI_JAVA_THREADS_H

#include <jvmti.h>
#include <stdbool.h>

/* JVMTI's NativeMethodBind: puts the agent's functions in the place of Thread.start0, setPriority0, yield and others. */
void JNICALL java_threads_on_bind(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address,
                                  void **new_address);

/* JVMTI's ThreadStart and ThreadEnd, on the thread itself. */
void JNICALL java_threads_on_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL java_threads_on_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);

/* Looks up what the functions above need. Once, from Agent_OnLoad. NULL, or what this JVM lacks. */
const char *java_threads_prepare(jvmtiEnv *jvmti);

/*
 * Enters the threads that were there before ThreadStart was enabled, `current` among them, which calls: main in VMInit, or
 * Attach Listener. False, which is said, if this JVM's threads are of an unknown kind.
 */
bool java_threads_enter_all(jvmtiEnv *jvmti, JNIEnv *env, jthread current);

/*
 * Binds the natives of java.lang.Thread to the agent where they are bound already: in a JVM that runs. False if this JDK
 * has not all of them. The JVM writes a warning for each (log tags jni+resolve), which whoever applies can switch off before.
 */
bool java_threads_bind_again(JNIEnv *env);

/* Gives every Java thread the rule that is its own by now. Once there are others in force. */
void java_threads_match_all(JNIEnv *env);

/*
 * Puts every Java thread back to what the JVM was launched with, those that are born later too: LEDGER_FOLDED_END, so that
 * shutdown hooks get the CPU, or LEDGER_FOLDED_RUNAWAY.
 */
void java_threads_fold(int why);

#endif
