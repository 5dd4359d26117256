/** What {@code JRun} starts: the master, and the workers, each a JVM with some of the ranks. */
@NullMarked
package jpi.internal.launch;

import org.jspecify.annotations.NullMarked;
