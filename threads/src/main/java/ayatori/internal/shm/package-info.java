/**
 * Memory that a server and one of its clients share, and what lies where in it: {@link ayatori.internal.shm.ServerPage} is the
 * server's and can only be read by clients, {@link ayatori.internal.shm.ConnectionMemory} belongs to one client and the server.
 * Nothing in it is trusted: each side reads a number once, and checks it before it uses it.
 */
@NullMarked
package ayatori.internal.shm;

import org.jspecify.annotations.NullMarked;
