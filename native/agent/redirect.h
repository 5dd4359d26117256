/* Redirects the calls that one loaded library makes to another's function. */
#ifndef AYATORI_REDIRECT_H
#define AYATORI_REDIRECT_H

#include <stdbool.h>

/*
 * Replaces the function that `library` ("libjvm.so", …) calls as `symbol` by `replacement`, by writing its slot in the
 * library's global offset table, and puts the function that stood there into `original`, before the slot changes.
 * False if the library is not loaded, has no such slot, or it cannot be written; nothing has changed then.
 */
bool redirect_calls(const char *library, const char *symbol, void *replacement, void **original);

#endif
