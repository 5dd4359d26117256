package jpi.internal.objects;

import java.io.Serial;

/** A type that may not travel has been met. The message starts with the type's name and ends with the remedy. */
final class TypeRefusedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    TypeRefusedException(String type, String objection) {
        super(type + ", " + objection);
    }
}
