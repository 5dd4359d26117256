/* What the agent knows of this process's libjvm.so: its symbols and its exported structures. */
#ifndef AYATORI_LIBJVM_H
#define AYATORI_LIBJVM_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the libjvm.so that is loaded already. Once, before the rest. False if there is none: not HotSpot. */
bool libjvm_open(void);

/* An exported function of libjvm.so, NULL if it has none of that name. */
void *libjvm_function(const char *name);

/* Offset of a field in HotSpot's exported structures (gHotSpotVMStructs), -1 if this JVM does not tell. */
long libjvm_offset(const char *type, const char *field);

/* Size of one of HotSpot's types (gHotSpotVMTypes), 0 if this JVM does not tell. */
uint64_t libjvm_size(const char *type);

/* A constant from gHotSpotVMIntConstants, `otherwise` if this JVM does not tell. */
int libjvm_constant(const char *name, int otherwise);

/* A boolean command-line flag's value, `otherwise` if this JVM does not tell. */
bool libjvm_flag(const char *name, bool otherwise);

/* The same for a flag that is a small number. */
int64_t libjvm_number_flag(const char *name, int64_t otherwise);

#endif
