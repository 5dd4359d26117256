/** Memory that the workers of one machine share: rings of messages, and words to sleep on. */
@NullMarked
package jpi.internal.shm;

import org.jspecify.annotations.NullMarked;
