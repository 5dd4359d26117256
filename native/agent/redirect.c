#define _GNU_SOURCE
#include "redirect.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct redirection {
    const char *library;
    const char *symbol;
    void *replacement;
    void **original;
    bool done;
};

/* What the dynamic section and the program headers of the library say. */
struct library {
    uintptr_t base, end;
    uintptr_t relro, relro_end; /* made read-only once the library was bound */
    struct {
        const ElfW(Rela) *rows;
        size_t size;
    } tables[2]; /* calls by the PLT, and addresses taken */
    const ElfW(Sym) *symbols;
    const char *strings;
};

static void read_dynamic(const ElfW(Dyn) *dynamic, struct library *library)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        uintptr_t value = dynamic->d_un.d_val;
        switch (dynamic->d_tag) {
        case DT_JMPREL: library->tables[0].rows = (const ElfW(Rela) *)value; break;
        case DT_PLTRELSZ: library->tables[0].size = value; break;
        case DT_RELA: library->tables[1].rows = (const ElfW(Rela) *)value; break;
        case DT_RELASZ: library->tables[1].size = value; break;
        case DT_SYMTAB: library->symbols = (const ElfW(Sym) *)value; break;
        case DT_STRTAB: library->strings = (const char *)value; break;
        default: break;
        }
    }
}

static struct library read_library(const struct dl_phdr_info *info)
{
    struct library library = {.base = info->dlpi_addr};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        uintptr_t end = start + header->p_memsz;
        if (header->p_type == PT_DYNAMIC)
            read_dynamic((const ElfW(Dyn) *)start, &library);
        if (header->p_type == PT_GNU_RELRO) {
            library.relro = start;
            library.relro_end = end;
        }
        if (header->p_type == PT_LOAD && end > library.end)
            library.end = end;
    }
    return library;
}

/*
 * The function that stands in the slot. JDK 8's libraries are bound lazily: until the first call the slot leads back
 * into the library's own PLT, whose resolver would then put the function there, over the replacement.
 */
static void *function_in(void *const *slot, const struct library *library, const char *symbol)
{
    uintptr_t value = (uintptr_t)*slot;
    bool unbound = value >= library->base && value < library->end;
    return unbound ? dlsym(RTLD_DEFAULT, symbol) : *slot;
}

static bool write_slot(void **slot, const struct library *library, const struct redirection *redirection)
{
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)slot & ~(page_size - 1));
    if (*slot == redirection->replacement)
        return true; /* done before */
    bool read_only = (uintptr_t)slot >= library->relro && (uintptr_t)slot < library->relro_end;
    void *original = function_in(slot, library, redirection->symbol);
    if (!original || (read_only && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0))
        return false;
    *redirection->original = original;
    __atomic_store_n(slot, redirection->replacement, __ATOMIC_SEQ_CST);
    if (read_only) /* should the kernel refuse this, the page stays writable: harmless */
        mprotect(page, page_size, PROT_READ);
    return true;
}

static bool is_library(const char *path, const char *name)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash && strcmp(slash + 1, name) == 0;
}

static int redirect_in(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct redirection *redirection = context;
    if (!is_library(info->dlpi_name, redirection->library))
        return 0;
    struct library library = read_library(info);
    for (int t = 0; library.symbols && library.strings && t < 2; t++) {
        for (size_t i = 0; library.tables[t].rows && i < library.tables[t].size / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *row = &library.tables[t].rows[i];
            const char *name = library.strings + library.symbols[ELF64_R_SYM(row->r_info)].st_name;
            if (strcmp(name, redirection->symbol) == 0)
                redirection->done |= write_slot((void **)(info->dlpi_addr + row->r_offset), &library, redirection);
        }
    }
    return 1;
}

bool redirect_calls(const char *library, const char *symbol, void *replacement, void **original)
{
    struct redirection redirection = {library, symbol, replacement, original, false};
    dl_iterate_phdr(redirect_in, &redirection);
    return redirection.done;
}
