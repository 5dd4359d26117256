#define _GNU_SOURCE
#include "libjvm.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

static void *libjvm;

bool libjvm_open(void)
{
    libjvm = dlopen("libjvm.so", RTLD_NOLOAD | RTLD_LAZY);
    return libjvm != NULL;
}

void *libjvm_function(const char *name)
{
    return libjvm ? dlsym(libjvm, name) : NULL;
}

/* HotSpot's tables for the serviceability agent: arrays whose stride and field offsets are exported variables. */
struct table {
    const char *rows; /* NULL if this JVM has no such table */
    uint64_t stride;
};

static uint64_t exported_number(const char *name)
{
    const uint64_t *variable = libjvm_function(name);
    return variable ? *variable : 0;
}

static struct table open_table(const char *rows, const char *stride)
{
    const char *const *variable = libjvm_function(rows);
    uint64_t step = exported_number(stride);
    return (struct table){variable && step ? *variable : NULL, step};
}

static const char *text_at(const char *row, uint64_t offset)
{
    return *(const char *const *)(row + offset);
}

static const char *find_field(const char *type, const char *field)
{
    struct table table = open_table("gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride");
    uint64_t type_offset = exported_number("gHotSpotVMStructEntryTypeNameOffset");
    uint64_t field_offset = exported_number("gHotSpotVMStructEntryFieldNameOffset");
    for (const char *row = table.rows; row && text_at(row, type_offset); row += table.stride)
        if (strcmp(text_at(row, type_offset), type) == 0 && strcmp(text_at(row, field_offset), field) == 0)
            return row;
    return NULL;
}

long libjvm_offset(const char *type, const char *field)
{
    const char *row = find_field(type, field);
    return row ? (long)*(const uint64_t *)(row + exported_number("gHotSpotVMStructEntryOffsetOffset")) : -1;
}

static void *static_field(const char *type, const char *field)
{
    const char *row = find_field(type, field);
    return row ? *(void *const *)(row + exported_number("gHotSpotVMStructEntryAddressOffset")) : NULL;
}

uint64_t libjvm_size(const char *type)
{
    struct table table = open_table("gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride");
    uint64_t name_offset = exported_number("gHotSpotVMTypeEntryTypeNameOffset");
    uint64_t size_offset = exported_number("gHotSpotVMTypeEntrySizeOffset");
    for (const char *row = table.rows; row && text_at(row, name_offset); row += table.stride)
        if (strcmp(text_at(row, name_offset), type) == 0)
            return *(const uint64_t *)(row + size_offset);
    return 0;
}

int libjvm_constant(const char *name, int otherwise)
{
    struct table table = open_table("gHotSpotVMIntConstants", "gHotSpotVMIntConstantEntryArrayStride");
    uint64_t name_offset = exported_number("gHotSpotVMIntConstantEntryNameOffset");
    uint64_t value_offset = exported_number("gHotSpotVMIntConstantEntryValueOffset");
    for (const char *row = table.rows; row && text_at(row, name_offset); row += table.stride)
        if (strcmp(text_at(row, name_offset), name) == 0)
            return *(const int32_t *)(row + value_offset);
    return otherwise;
}

/* The address of a flag's value, NULL if this JVM does not tell. */
static const void *find_flag(const char *name)
{
    const char *type = find_field("JVMFlag", "flags") ? "JVMFlag" : "Flag"; /* JDK 8 */
    char *const *flags = static_field(type, "flags");
    const size_t *count = static_field(type, "numFlags");
    uint64_t size = libjvm_size(type);
    long name_offset = libjvm_offset(type, "_name");
    long address_offset = libjvm_offset(type, "_addr");
    if (!flags || !count || size == 0 || name_offset < 0 || address_offset < 0)
        return NULL;
    for (size_t i = 0; i < *count; i++) {
        const char *flag = *flags + i * size;
        const char *flag_name = text_at(flag, (uint64_t)name_offset);
        const void *address = text_at(flag, (uint64_t)address_offset);
        if (flag_name && address && strcmp(flag_name, name) == 0)
            return address;
    }
    return NULL;
}

bool libjvm_flag(const char *name, bool otherwise)
{
    const bool *flag = find_flag(name);
    return flag ? *flag : otherwise;
}

int64_t libjvm_number_flag(const char *name, int64_t otherwise)
{
    const int32_t *flag = find_flag(name); /* an int, or the low half of an intx: both little-endian */
    return flag ? *flag : otherwise;
}
