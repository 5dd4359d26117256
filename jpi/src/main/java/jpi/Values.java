package jpi;

import org.jspecify.annotations.Nullable;

/**
 * How the values of a reduction travel, and how one is made of two: so that each algorithm is written once for objects and for
 * buffers. For one call.
 *
 * @param <V> what a value is
 */
abstract sealed class Values<V> {
    final Exchange exchange;

    private Values(Exchange exchange) {
        this.exchange = exchange;
    }

    /** Receives a value, which is good until the next is received. */
    abstract V receive(int from);

    /** Sends a value and receives one. */
    abstract V swap(V mine, int partner);

    /** Receives what is to be the result. */
    abstract V receiveResult(int from);

    /** What becomes the result, from a value of somebody else's. */
    abstract V startResult(V value);

    /** {@code into op from}, or {@code from op into}; may be put into {@code into}, never into {@code from}. */
    abstract V fold(V into, V from, boolean fromIsLeft);

    /** Objects. */
    static final class OfObjects<T> extends Values<T> {
        private final JOperation<? super T> operation;

        OfObjects(Exchange exchange, JOperation<? super T> operation) {
            super(exchange);
            this.operation = operation;
        }

        @SuppressWarnings("unchecked") // every rank gives a T
        private T value(@Nullable Object received) {
            return (T) Given.required(
                    received, operation.toString(), "a value of each rank", "let all make the same calls");
        }

        @Override
        T receive(int from) {
            return value(exchange.receive(from));
        }

        @Override
        T swap(T mine, int partner) {
            return value(exchange.swap(mine, partner, partner));
        }

        @Override
        T receiveResult(int from) {
            return value(exchange.receive(from));
        }

        @Override
        @SuppressWarnings("unchecked") // an array of the same class
        T startResult(T value) {
            boolean isArray = operation.isByElements() && JType.ofArray(value) != null;
            return isArray ? (T) JBuffer.ofArray(value).toArray() : value;
        }

        @Override
        @SuppressWarnings("unchecked") // an operation gives what it takes
        T fold(T into, T from, boolean fromIsLeft) {
            JOperation<Object> any = (JOperation<Object>) operation;
            return (T) (fromIsLeft ? any.apply(from, into) : any.apply(into, from));
        }
    }

    /** Buffers of one type and count. */
    static final class OfBuffers extends Values<JBuffer> {
        private final JOperation<?> operation;
        private final JBuffer like;
        private @Nullable JBuffer result;
        private @Nullable JBuffer incoming;

        /**
         * Made for one call.
         *
         * @param like a buffer of the values' type and count
         * @param result where the result is to be; null: this rank needs none, and has a place for it made if it does in between
         */
        OfBuffers(Exchange exchange, JOperation<?> operation, JBuffer like, @Nullable JBuffer result) {
            super(exchange);
            this.operation = operation;
            this.like = like;
            this.result = result;
            operation.requireSuits(like.type());
            if (result != null && (like.type() != result.type() || like.count() != result.count())) {
                throw new JException(
                        like + " is to be reduced into " + result + ": both must have the same type and count");
            }
            if (result != null) {
                result.requireWritable(); // before anything is under way
            }
        }

        /** Where the result is to be. */
        JBuffer result() {
            if (result == null) {
                result = exchange.temporary(like.type(), like.count());
            }
            return result;
        }

        /** If a value does not lie where the result is to be. */
        boolean isApart(JBuffer value) {
            return value.memory().asOverlappingSlice(result().memory()).isEmpty();
        }

        /** A value of this rank, read as long as the result is written: itself, or as the result's beginning if it lies there. */
        JBuffer given(JBuffer value) {
            return isApart(value) ? value : startResult(value);
        }

        /** Where a value that is received comes first. */
        JBuffer incoming() {
            if (incoming == null) {
                incoming = exchange.temporary(like.type(), like.count());
            }
            return incoming;
        }

        @Override
        JBuffer receive(int from) {
            exchange.receive(incoming(), from);
            return incoming();
        }

        @Override
        JBuffer swap(JBuffer mine, int partner) {
            exchange.swap(mine, partner, incoming(), partner);
            return incoming();
        }

        @Override
        JBuffer receiveResult(int from) {
            exchange.receive(result(), from);
            return result();
        }

        @Override
        JBuffer startResult(JBuffer value) {
            result().copyFrom(value);
            return result();
        }

        @Override
        JBuffer fold(JBuffer into, JBuffer from, boolean fromIsLeft) {
            operation.fold(into, from, fromIsLeft);
            return into;
        }
    }
}
