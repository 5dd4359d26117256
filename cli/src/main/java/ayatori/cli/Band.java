package ayatori.cli;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Real-time values between which a program stands, both included. A native program that was given one value has a band
 * of that value alone.
 */
public record Band(int low, int high) {
    /** Of a JVM: the kernel's interrupt threads stand at 50. */
    public static final int HIGHEST = 49;

    /** What a band is, for messages. */
    static final String FORM = "LOW-HIGH, two real-time values from 1 to " + HIGHEST + ", such as 10-29";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,2})-(\\d{1,2})");

    /** A JVM's band as users write it, {@link #FORM}; empty if it is none. The agent knows what is too narrow for a policy. */
    public static Optional<Band> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Band band = new Band(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
        return band.low >= 1 && band.low < band.high && band.high <= HIGHEST ? Optional.of(band) : Optional.empty();
    }

    /** Whether neither stands above the other as a whole. */
    public boolean overlaps(Band other) {
        return low <= other.high && other.low <= high;
    }

    public boolean contains(Band other) {
        return low <= other.low && other.high <= high;
    }

    /** {@code 10-29}, or {@code 47}. */
    @Override
    public String toString() {
        return low == high ? Integer.toString(low) : low + "-" + high;
    }
}
