/** Objects as bytes, for other JVMs and for copies. */
@NullMarked
package jpi.internal.objects;

import org.jspecify.annotations.NullMarked;
