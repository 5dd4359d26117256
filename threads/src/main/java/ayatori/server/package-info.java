/**
 * Servers without priority inversion: requests carry the priority of whoever asks, are taken in that order, and raise the
 * server that is to answer them.
 *
 * <p>{@link ayatori.server.Endpoint} is where clients call and servers answer.
 */
@NullMarked
package ayatori.server;

import org.jspecify.annotations.NullMarked;
