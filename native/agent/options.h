/* The text after the `=` of -agentpath:…/libayatori.so=… */
#ifndef AYATORI_OPTIONS_H
#define AYATORI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder.h"

/*
 * Reads comma-separated `text` (may be NULL) over the defaults in `ladder`. On a mistake returns false and writes one
 * sentence that names it into `message`; `ladder` is then unchanged. Any thread.
 */
bool options_parse(const char *text, struct ladder *ladder, bool *strict, char *message, size_t message_size);

/*
 * For the command, which loads this library to ask before it starts a JVM: 0, or -EINVAL with the sentence in `message`,
 * NUL-terminated. Levels count from what the calling thread has.
 */
int32_t ayatori_options_check(const char *text, char *message, uint64_t message_size);

#endif
