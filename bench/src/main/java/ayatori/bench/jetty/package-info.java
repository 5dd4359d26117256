/**
 * A Jetty server on a {@link ayatori.pool.ReusableThreadPool}: two classes that a program would have, and the server that
 * {@code bench/run server} loads.
 */
@NullMarked
package ayatori.bench.jetty;

import org.jspecify.annotations.NullMarked;
