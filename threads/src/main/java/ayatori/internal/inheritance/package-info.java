/**
 * Who is raised because a more important thread waits, in pools and servers alike: chains of waits lead from one to the other.
 */
@NullMarked
package ayatori.internal.inheritance;

import org.jspecify.annotations.NullMarked;
