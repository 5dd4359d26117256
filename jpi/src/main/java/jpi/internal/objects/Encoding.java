package jpi.internal.objects;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One way from objects to bytes and back. For any number of threads. */
interface Encoding {
    /** Replaces what is held by an object, whose first byte is left to the caller. */
    void write(@Nullable Object object, EncodedBytes into) throws IOException;

    /** The object whose bytes these are. */
    @Nullable
    Object read(byte[] bytes, int offset, int length) throws IOException, ClassNotFoundException;

    /** What there is to say against a class; null if objects of it may travel this way. */
    @Nullable
    String objection(Class<?> type);
}
