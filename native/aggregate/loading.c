/* SPDX-License-Identifier: GPL-2.0-only */
#define _GNU_SOURCE
#include "loading.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Told if it goes no further. Later libbpf says that for this reason nothing goes. */
static char complaint[512];
static const char *suffices = "";

static int keep(enum libbpf_print_level level, const char *format, va_list arguments)
{
    if (level != LIBBPF_WARN || *complaint)
        return 0;
    return vsnprintf(complaint, sizeof complaint, format, arguments);
}

void keep_complaint(const char *rights)
{
    suffices = rights;
    libbpf_set_print(keep);
}

int refused(const char *what, int error)
{
    fprintf(stderr, "%s: %s", what, strerror(error));
    if (error == EPERM || (error == EACCES && geteuid() != 0)) /* the verifier says EACCES to root */
        fprintf(stderr, "; be root%s", suffices);
    else if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        fputs("; /sys/kernel/btf/vmlinux cannot be read: take a kernel with CONFIG_DEBUG_INFO_BTF", stderr);
    else if (*complaint)
        fprintf(stderr, " (%.*s)", (int)strcspn(complaint, "\n"), complaint);
    fputc('\n', stderr);
    return REFUSED;
}

void print_text(const char *text, unsigned long most)
{
    for (unsigned long i = 0; i < most && text[i]; i++)
        putchar((unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
}
