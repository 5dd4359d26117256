package ayatori.cli.aggregate;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option {@code --batch}. */
final class Batching {
    private static final List<String> WORDS = List.of("auto", "always", "never");

    @Option(
            names = "--batch",
            paramLabel = "WHEN",
            converter = WordConverter.class,
            completionCandidates = Words.class,
            description = {
                "When a CPU stays with an address space for a while:",
                "  auto    where more of them are ready than a CPU keeps translations of: from the seventh on, or from the"
                        + " second on if it has no PCID (default)",
                "  always  from the second on",
                "  never   they take turns by what they ran, one slice each"
            })
    private @Nullable String word;

    /** As ayatori-aggregate has it. */
    String word() {
        return word == null ? "auto" : word;
    }

    boolean isGiven() {
        return word != null;
    }

    /** What a shell completes after it. */
    static final class Words implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return WORDS.iterator();
        }
    }

    static final class WordConverter implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            if (!WORDS.contains(value)) {
                throw new TypeConversionException("'" + value + "': use auto, always or never");
            }
            return value;
        }
    }
}
