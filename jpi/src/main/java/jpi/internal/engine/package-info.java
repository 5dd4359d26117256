/** Matching of messages with receives, waiting, and the ways to other ranks. */
@NullMarked
package jpi.internal.engine;

import org.jspecify.annotations.NullMarked;
