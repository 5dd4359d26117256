package jpi;

import java.io.Serializable;

/**
 * A value and where it is: what {@link JOperation#MAXLOC} and {@link JOperation#MINLOC} compare.
 *
 * @param <T> of the value
 * @param value compared first
 * @param location usually a rank or an index; of equal values the lowest is taken
 */
public record JLocated<T extends Comparable<? super T>>(T value, int location) implements Serializable {
    /** @throws JException if the value is null */
    public JLocated {
        var _ = Given.required(value, "JLocated", "a value", "give one that can be compared");
    }
}
