/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AYATORI_LOADING_H
#define AYATORI_LOADING_H

/* What our programs have in common that put others into the kernel. By the main thread only. */

/* The exit code of what the kernel does not let us do. */
enum { REFUSED = 2 };

/*
 * libbpf says nothing from now on; what it complains of first is kept for refused(), as is which rights suffice: what to say after
 * "be root".
 */
void keep_complaint(const char *rights);

/* Says on standard error what was not done, and why, as far as the kernel or libbpf says. REFUSED. */
int refused(const char *what, int error);

/* Writes a name, or what the kernel says, to standard output, as one field of a record: a control character is a ?. */
void print_text(const char *text, unsigned long most);

#endif
