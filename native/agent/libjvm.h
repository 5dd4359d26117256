/* What the agent knows of this process's libjvm.so: its symbols, its exported structures, and its calls to libc. */
#ifndef AYATORI_LIBJVM_H
#define AYATORI_LIBJVM_H

#include <stdbool.h>

/* Opens the libjvm.so that is loaded already. Once, before the rest. False if there is none: not HotSpot. */
bool libjvm_open(void);

/* An exported function of libjvm.so, NULL if it has none of that name. */
void *libjvm_function(const char *name);

/* Offset of a field in HotSpot's exported structures (gHotSpotVMStructs), -1 if this JVM does not tell. */
long libjvm_offset(const char *type, const char *field);

/* A constant from gHotSpotVMIntConstants, `otherwise` if this JVM does not tell. */
int libjvm_constant(const char *name, int otherwise);

/* A boolean command-line flag's value, `otherwise` if this JVM does not tell. */
bool libjvm_flag(const char *name, bool otherwise);

/*
 * Replaces the function that `library` ("libjvm.so", …) calls as `symbol` by `replacement`, by writing its slot in the
 * library's global offset table, and puts the function that stood there into `original`, before the slot changes.
 * False if the library is not loaded, has no such slot, or it cannot be written; nothing has changed then.
 */
bool libjvm_redirect(const char *library, const char *symbol, void *replacement, void **original);

#endif
