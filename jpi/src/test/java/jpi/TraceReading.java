package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A timeline as viewers read it.
 *
 * @param events all elements of its array; the fields of each, those of its {@code args} with that word and a dot before
 */
public record TraceReading(List<Map<String, String>> events) {
    /** Reads one. */
    public static TraceReading of(String json) {
        List<Map<String, String>> events = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            assertEquals(JsonToken.START_ARRAY, parser.nextToken());
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                Map<String, String> event = new LinkedHashMap<>();
                readObject(parser, "", event);
                events.add(event);
            }
            assertEquals(JsonToken.END_ARRAY, parser.currentToken());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return new TraceReading(events);
    }

    private static void readObject(JsonParser parser, String prefix, Map<String, String> fields) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = prefix + parser.currentName();
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                readObject(parser, name + ".", fields);
            } else {
                assertEquals(null, fields.put(name, parser.getText()), name + " twice");
            }
        }
    }

    /** Those of a phase. */
    public List<Map<String, String>> phase(String phase) {
        return events.stream().filter(event -> phase.equals(event.get("ph"))).toList();
    }

    /** Names of tracks. */
    public List<String> tracks() {
        return phase("M").stream()
                .filter(event -> "thread_name".equals(event.get("name")))
                .map(event -> event.get("args.name"))
                .toList();
    }

    /** The slices at the two ends of each arrow. Each arrow has both. */
    public List<Arrow> arrows() {
        Map<String, Map<String, String>> ends =
                phase("f").stream().collect(Collectors.toMap(end -> end.get("id"), Function.identity()));
        List<Map<String, String>> starts = phase("s");
        assertEquals(
                ends.keySet(), starts.stream().map(start -> start.get("id")).collect(Collectors.toSet()));
        assertEquals(ends.size(), starts.size());
        return starts.stream()
                .map(start -> new Arrow(around(start), around(Objects.requireNonNull(ends.get(start.get("id"))))))
                .toList();
    }

    /**
     * A message.
     *
     * @param sent the slice of its sender
     * @param received that of its receiver
     */
    public record Arrow(Map<String, String> sent, Map<String, String> received) {}

    /** The innermost slice in which an end of an arrow is. */
    private Map<String, String> around(Map<String, String> end) {
        return phase("X").stream()
                .filter(slice -> sameTrack(slice, end))
                .filter(slice ->
                        from(slice).compareTo(from(end)) <= 0 && to(slice).compareTo(from(end)) > 0)
                .min(Comparator.comparing(slice -> decimal(slice, "dur")))
                .orElseThrow(() -> new AssertionError("no slice around " + end));
    }

    /** On each track slices follow each other, or lie one in the other. */
    public void assertNested() {
        Map<String, List<Map<String, String>>> tracks =
                phase("X").stream().collect(Collectors.groupingBy(slice -> slice.get("pid") + " " + slice.get("tid")));
        Comparator<Map<String, String>> outerFirst = Comparator.comparing(TraceReading::from)
                .thenComparing(Comparator.comparing(TraceReading::to).reversed());
        for (List<Map<String, String>> track : tracks.values()) {
            Deque<Map<String, String>> around = new ArrayDeque<>();
            for (Map<String, String> slice : track.stream().sorted(outerFirst).toList()) {
                while (!around.isEmpty() && to(around.peek()).compareTo(from(slice)) <= 0) {
                    around.pop();
                }
                Map<String, String> outer = around.peek();
                assertTrue(outer == null || to(slice).compareTo(to(outer)) <= 0, () -> outer + " and " + slice);
                around.push(slice);
            }
        }
    }

    private static boolean sameTrack(Map<String, String> a, Map<String, String> b) {
        return Objects.equals(a.get("pid"), b.get("pid")) && Objects.equals(a.get("tid"), b.get("tid"));
    }

    private static BigDecimal from(Map<String, String> event) {
        return decimal(event, "ts");
    }

    private static BigDecimal to(Map<String, String> slice) {
        return from(slice).add(decimal(slice, "dur"));
    }

    private static BigDecimal decimal(Map<String, String> event, String field) {
        return new BigDecimal(event.get(field));
    }
}
