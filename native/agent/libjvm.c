#define _GNU_SOURCE
#include "libjvm.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static uint64_t size_of_type(const char *type)
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

bool libjvm_flag(const char *name, bool otherwise)
{
    const char *type = find_field("JVMFlag", "flags") ? "JVMFlag" : "Flag"; /* JDK 8 */
    char *const *flags = static_field(type, "flags");
    const size_t *count = static_field(type, "numFlags");
    uint64_t size = size_of_type(type);
    long name_offset = libjvm_offset(type, "_name");
    long address_offset = libjvm_offset(type, "_addr");
    if (!flags || !count || size == 0 || name_offset < 0 || address_offset < 0)
        return otherwise;
    for (size_t i = 0; i < *count; i++) {
        const char *flag = *flags + i * size;
        const char *flag_name = text_at(flag, (uint64_t)name_offset);
        const void *address = text_at(flag, (uint64_t)address_offset);
        if (flag_name && address && strcmp(flag_name, name) == 0)
            return *(const bool *)address;
    }
    return otherwise;
}

struct redirection {
    const char *library;
    const char *symbol;
    void *replacement;
    void **original;
    bool done;
};

struct relocations {
    const ElfW(Rela) *rows;
    size_t size;
};

static bool write_slot(void **slot, const struct redirection *redirection)
{
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)slot & ~(page_size - 1));
    *redirection->original = *slot;
    if (mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(slot, redirection->replacement, __ATOMIC_SEQ_CST);
    /* RELRO had it read-only. Should the kernel refuse this, the page stays writable: harmless. */
    mprotect(page, page_size, PROT_READ);
    return true;
}

static bool is_library(const char *path, const char *library)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash && strcmp(slash + 1, library) == 0;
}

static int redirect_in(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct redirection *redirection = context;
    if (!is_library(info->dlpi_name, redirection->library))
        return 0;
    const ElfW(Dyn) *dynamic = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    struct relocations tables[2] = {{NULL, 0}, {NULL, 0}}; /* calls by the PLT, and addresses taken */
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        switch (dynamic->d_tag) {
        case DT_JMPREL: tables[0].rows = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
        case DT_PLTRELSZ: tables[0].size = dynamic->d_un.d_val; break;
        case DT_RELA: tables[1].rows = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
        case DT_RELASZ: tables[1].size = dynamic->d_un.d_val; break;
        case DT_SYMTAB: symbols = (const ElfW(Sym) *)dynamic->d_un.d_ptr; break;
        case DT_STRTAB: strings = (const char *)dynamic->d_un.d_ptr; break;
        default: break;
        }
    }
    for (int t = 0; symbols && strings && t < 2; t++) {
        for (size_t i = 0; tables[t].rows && i < tables[t].size / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *row = &tables[t].rows[i];
            const char *name = strings + symbols[ELF64_R_SYM(row->r_info)].st_name;
            if (strcmp(name, redirection->symbol) == 0)
                redirection->done |= write_slot((void **)(info->dlpi_addr + row->r_offset), redirection);
        }
    }
    return 1;
}

bool libjvm_redirect(const char *library, const char *symbol, void *replacement, void **original)
{
    struct redirection redirection = {library, symbol, replacement, original, false};
    dl_iterate_phdr(redirect_in, &redirection);
    return redirection.done;
}
