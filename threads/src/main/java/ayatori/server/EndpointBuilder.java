package ayatori.server;

import ayatori.sched.PriorityLadder;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an {@link Endpoint}. Not thread-safe.
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public final class EndpointBuilder<Q, R> {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    String name = "endpoint-" + NUMBERS.incrementAndGet();
    PriorityProtocol protocol = PriorityProtocol.VPSET;
    /** 0: not set. */
    private int ceiling;

    int capacity = Integer.MAX_VALUE;
    long ageingLimit;

    @Nullable
    PriorityLadder ladder;

    EndpointBuilder() {}

    /** Names the endpoint, in messages, and the threads of {@link Endpoint#serve}: NAME-1, NAME-2 … The default is endpoint-N. */
    public EndpointBuilder<Q, R> name(String newName) {
        name = Objects.requireNonNull(newName, "name");
        return this;
    }

    /** At what priority servers work. The default is {@link PriorityProtocol#VPSET}. */
    public EndpointBuilder<Q, R> protocol(PriorityProtocol newProtocol) {
        protocol = Objects.requireNonNull(newProtocol, "protocol");
        return this;
    }

    /** The Java priority at which servers work under {@link PriorityProtocol#CEILING}, 1 to 10. The default is 10. */
    public EndpointBuilder<Q, R> ceiling(int javaPriority) {
        Endpoint.requirePriority(javaPriority);
        ceiling = javaPriority;
        return this;
    }

    /**
     * How many requests may wait, 1 or more. Who sends one more is kept until that has been taken, or until
     * a time limit: {@link Endpoint#send(Object, Duration)}. The default is
     * Integer.MAX_VALUE: without bound.
     */
    public EndpointBuilder<Q, R> capacity(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("capacity " + requests + ": must be 1 or more");
        }
        capacity = requests;
        return this;
    }

    /**
     * A request that has waited for so long is taken next, whatever its priority, so that requests of low priority are not
     * starved for ever. The default is never.
     */
    public EndpointBuilder<Q, R> ageingLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("ageing limit " + limit + ": must be more than nothing");
        }
        ageingLimit = limit.toNanos();
        return this;
    }

    /** Where no agent tells the kernel of Java priorities, the endpoint does so for its servers, by this ladder. */
    public EndpointBuilder<Q, R> ladder(PriorityLadder newLadder) {
        ladder = Objects.requireNonNull(newLadder, "ladder");
        return this;
    }

    /** At which servers work under {@link PriorityProtocol#CEILING}. */
    int ceiling() {
        return ceiling == 0 ? Thread.MAX_PRIORITY : ceiling;
    }

    /**
     * Makes the endpoint.
     *
     * @throws IllegalStateException if there is a ceiling and another protocol
     */
    public Endpoint<Q, R> build() {
        if (ceiling != 0 && protocol != PriorityProtocol.CEILING) {
            throw new IllegalStateException("endpoint " + name + ": a ceiling of " + ceiling + " under " + protocol
                    + ", which has none; protocol(CEILING) does");
        }
        return new Endpoint<>(this);
    }
}
