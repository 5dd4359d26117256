package ayatori.cli.aggregate;

import java.util.List;

/** A record of what ayatori-aggregate writes: fields, of which the first says what the record is of. */
final class Fields {
    private static final String END = "end";

    private final String line;
    private final List<String> fields;

    private Fields(String line) {
        this.line = line;
        fields = List.of(line.split("\t", -1));
    }

    /**
     * The records between the first and the last.
     *
     * @param head the first, with the format's version
     * @throws IllegalArgumentException if the text is not whole, or of another version
     */
    static List<Fields> parse(String text, String head) {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2
                || !lines.getFirst().equals(head)
                || !lines.getLast().equals(END)) {
            throw new IllegalArgumentException(
                    lines.isEmpty() ? "nothing" : lines.getFirst() + " to " + lines.getLast());
        }
        return lines.subList(1, lines.size() - 1).stream().map(Fields::new).toList();
    }

    /** What the record is of. */
    String subject() {
        return fields.getFirst();
    }

    /** @throws IllegalArgumentException if there is no such field; so do the others */
    String text(int index) {
        if (index >= fields.size()) {
            throw unknown();
        }
        return fields.get(index);
    }

    int number(int index) {
        try {
            return Integer.parseInt(text(index));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    long count(int index) {
        try {
            return Long.parseLong(text(index));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    Lengths lengths(int index) {
        try {
            return Lengths.parse(text(index));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(line, e);
        }
    }

    /** That nobody knows what to make of the record. */
    IllegalArgumentException unknown() {
        return new IllegalArgumentException(line);
    }
}
