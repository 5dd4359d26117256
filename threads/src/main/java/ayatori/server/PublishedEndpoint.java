package ayatori.server;

import ayatori.internal.linux.UnixSocket;
import ayatori.internal.shm.ServerPage;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * An endpoint that other processes of this host can reach too, by {@link SharedEndpoint}, until this is closed.
 *
 * <pre>{@code
 * try (Endpoint<Area, Area> files = Endpoint.<Area, Area>builder().name("files").build();
 *         PublishedEndpoint door = PublishedEndpoint.at(Path.of("/run/files")).publish(files)) {
 *     files.serve(1, request -> request.reply(read(request.body())));
 *     ...
 * }
 * }</pre>
 *
 * <p>Who may connect is a matter of the socket's file: of this user only, unless {@link Builder#mode} says otherwise. Each client
 * has memory of its own; one that breaks the rules loses its connection, and nobody else anything. A client that ends, however it
 * does, takes its requests along. At most 127 clients, 32 of them of any one user but root and this process's own; a client that
 * forwards requests may introduce 127 of its own, and all of such a user's as many together. {@link EndpointBuilder#capacity} does
 * not hold them up: each may have as many requests on their way as {@link SharedEndpoint#MOST_REQUESTS} says. Thread-safe. Needs
 * Linux 5.16.
 */
public final class PublishedEndpoint implements AutoCloseable {
    /** Processes that may be connected at once. */
    public static final int MOST_CLIENTS = Doorkeeper.MOST_CLIENTS;

    private final Doorkeeper doorkeeper;

    private PublishedEndpoint(Doorkeeper doorkeeper) {
        this.doorkeeper = doorkeeper;
    }

    /** What clients may ask for. */
    static final class Rules {
        private final Map<Integer, Integer> caps;
        private final int defaultCap;

        Rules(Map<Integer, Integer> caps, int defaultCap) {
            this.caps = Map.copyOf(caps);
            this.defaultCap = defaultCap;
        }

        int capFor(int uid) {
            return caps.getOrDefault(uid, defaultCap);
        }

        /** If there is anybody whose requests count for less than they may say. */
        boolean cap() {
            return defaultCap < Thread.MAX_PRIORITY || !caps.isEmpty();
        }
    }

    /** Settings. Not thread-safe. */
    public static final class Builder {
        private final Path path;
        private final Map<Integer, Integer> caps = new HashMap<>();
        private int defaultCap = Thread.MAX_PRIORITY;
        private Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
        private boolean raisesItself;
        private boolean polls;

        private Builder(Path path) {
            this.path = path;
        }

        /** Who may connect, as ls(1) writes it: those who may write. The default is rw-------, this user. */
        public Builder mode(String permissions) {
            try {
                mode = PosixFilePermissions.fromString(permissions);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "mode \"" + permissions + "\" of a socket: must be as ls(1) writes it, such as rw-rw----", e);
            }
            return this;
        }

        /**
         * No request of a user's processes counts more than this, here or where it is forwarded to. Holds for the order of requests
         * and for what the server raises itself to; what a client lends through the kernel is what the kernel has granted that client, so use it with
         * {@link #raisesItself}.
         *
         * @param uid as the kernel tells it, SO_PEERCRED
         * @param javaPriority 1 to 10
         */
        public Builder priorityCap(int uid, int javaPriority) {
            Endpoint.requirePriority(javaPriority);
            caps.put(uid, javaPriority);
            return this;
        }

        /** The same for all users that no cap is set for. The default is 10. */
        public Builder priorityCap(int javaPriority) {
            Endpoint.requirePriority(javaPriority);
            defaultCap = javaPriority;
            return this;
        }

        /**
         * The server's process raises its threads, also for clients that wait, in place of the kernel: by the agent, or the
         * endpoint's {@link EndpointBuilder#ladder}. Needs the right to; then caps hold for all requests.
         */
        public Builder raisesItself() {
            raisesItself = true;
            return this;
        }

        /** Servers look for requests without sleeping: for who has a CPU for each of them. */
        public Builder polls() {
            polls = true;
            return this;
        }

        /**
         * Publishes an endpoint. The file of a server that has ended is replaced.
         *
         * @throws IOException EADDRINUSE: another process serves there, or the file is no socket; EACCES; ENOENT: no such directory;
         *     EAGAIN: the file is to be replaced, and another process of this user has been about to for five seconds, by the lock
         *     {@code .NAME.lock} beside it
         * @throws IllegalStateException if the endpoint is published already
         */
        public PublishedEndpoint publish(Endpoint<Area, Area> endpoint) throws IOException {
            Objects.requireNonNull(endpoint, "endpoint");
            Rules rules = new Rules(caps, defaultCap);
            boolean inherits = endpoint.protocol() == PriorityProtocol.VPSET;
            int flags = (inherits && !raisesItself ? ServerPage.LENDS : 0)
                    | (inherits && endpoint.levels().inForce() ? ServerPage.RAISES : 0)
                    | (polls ? ServerPage.POLLS : 0)
                    | (rules.cap() ? ServerPage.CAPS : 0);
            ServerPage page =
                    ServerPage.create(endpoint.name(), flags, endpoint.levels().realTimeFrom());
            UnixSocket entrance;
            try {
                entrance = Entrance.listen(path, mode);
            } catch (IOException | RuntimeException e) {
                page.closeDescriptor();
                throw e;
            }
            Doorkeeper doorkeeper = new Doorkeeper(endpoint, path, entrance, page, rules);
            try {
                endpoint.publishedBy(doorkeeper);
            } catch (RuntimeException e) {
                doorkeeper.removeFile();
                entrance.close();
                page.closeDescriptor();
                throw e;
            }
            doorkeeper.start();
            return new PublishedEndpoint(doorkeeper);
        }
    }

    /**
     * Where to publish.
     *
     * @param path of a socket, which {@link Builder#publish} makes; at most 107 bytes, and 100 for its directory with the last slash
     */
    public static Builder at(Path path) {
        return new Builder(path);
    }

    /** Processes that are connected. */
    public int clients() {
        return doorkeeper.clients();
    }

    /**
     * Takes no more requests from clients, refuses what is sent all the same, waits until those are answered that wait or that a
     * server works on, if there are servers and the calling thread is none of them, ends all connections and removes the file. The
     * endpoint itself stays.
     */
    @Override
    public void close() {
        doorkeeper.close();
    }

    @Override
    public String toString() {
        return doorkeeper.toString();
    }
}
