/* The native half of target-programs/Actors.java: threads that attach themselves, and work in native code. */
#define _GNU_SOURCE
#include <jni.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static JavaVM *vm;
static jclass actors;

jint JNI_OnLoad(JavaVM *loading, void *reserved)
{
    (void)reserved;
    JNIEnv *env;
    vm = loading;
    (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6);
    actors = (*env)->NewGlobalRef(env, (*env)->FindClass(env, "Actors"));
    return JNI_VERSION_1_6;
}

/* A thread of a native library's: attached for a while, and there before and after. */
static void *attach(void *name)
{
    JNIEnv *env;
    JavaVMAttachArgs arguments = {JNI_VERSION_1_6, name, NULL};
    char line[128];
    (*vm)->AttachCurrentThread(vm, (void **)&env, &arguments);
    jmethodID method = (*env)->GetStaticMethodID(env, actors, "attached", "(Ljava/lang/String;)V");
    (*env)->CallStaticVoidMethod(env, actors, method, (*env)->NewStringUTF(env, name));
    (*vm)->DetachCurrentThread(vm);
    int length = snprintf(line, sizeof line, "#%s# %ld #%s.\n", (char *)name, (long)syscall(SYS_gettid), (char *)name);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        abort();
    for (;;)
        pause();
}

JNIEXPORT void JNICALL Java_Actors_attach(JNIEnv *env, jclass class, jstring name, jint policy, jint priority)
{
    (void)class;
    const char *characters = (*env)->GetStringUTFChars(env, name, NULL);
    struct sched_param param = {.sched_priority = priority};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, policy);
    pthread_attr_setschedparam(&attributes, &param);
    if (pthread_create(&thread, &attributes, attach, strdup(characters)) != 0)
        abort();
    (*env)->ReleaseStringUTFChars(env, name, characters);
}

JNIEXPORT void JNICALL Java_Actors_work(JNIEnv *env, jclass class, jobject stop)
{
    (void)class;
    const volatile int *stopped = (*env)->GetDirectBufferAddress(env, stop);
    while (!*stopped)
        continue;
}

JNIEXPORT void JNICALL Java_Actors_workInCriticalSections(JNIEnv *env, jclass class, jobject stop, jbyteArray array)
{
    (void)class;
    const volatile int *stopped = (*env)->GetDirectBufferAddress(env, stop);
    while (!*stopped) {
        volatile char *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
        for (int i = 0; i < 4096 * 1000; i++)
            bytes[i % 4096]++;
        (*env)->ReleasePrimitiveArrayCritical(env, array, (void *)bytes, 0);
    }
}
