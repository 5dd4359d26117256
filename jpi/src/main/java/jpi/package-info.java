/** Object passing: programs of many ranks that send each other any object, in one JVM or in several. */
@NullMarked
package jpi;

import org.jspecify.annotations.NullMarked;
