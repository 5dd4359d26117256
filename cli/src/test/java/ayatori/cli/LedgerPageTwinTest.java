package ayatori.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ayatori.sched.PriorityLadder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@link LedgerPage} and native/include/ledger_page.h say the same. */
class LedgerPageTwinTest {
    private static final Pattern DEFINE =
            Pattern.compile("^#define LEDGER_(\\w+)\\s+(\"[^\"]*\"|0x\\p{XDigit}+|\\d+)", Pattern.MULTILINE);

    @Test
    void offsetsAndSizesAreTheSame() throws Exception {
        Map<String, String> header = defines();
        Map<String, String> twin = new TreeMap<>();
        for (Field field : LedgerPage.class.getDeclaredFields()) {
            if (field.getType() == int.class && header.containsKey(field.getName())) {
                twin.put(field.getName(), Integer.toString(field.getInt(null)));
            }
        }
        twin.put("MEMFD_NAME", LedgerPage.MEMFD_NAME);
        for (ThreadKind kind : ThreadKind.values()) {
            if (kind != ThreadKind.NATIVE) {
                twin.put("KIND_" + kind.name(), Integer.toString(kind.ledgerValue()));
            }
        }
        for (int i = 0; i < PriorityLadder.Policy.values().length; i++) {
            twin.put("POLICY_" + LedgerPage.policy(i).orElseThrow().name(), Integer.toString(i));
        }
        assertEquals(header, twin);
        assertTrue(header.size() > 30, "only " + header.size() + " definitions found: is the header still the same?");
    }

    private static Map<String, String> defines() throws IOException {
        Path root = Path.of(System.getProperty("ayatori.root", ".."));
        Matcher define = DEFINE.matcher(Files.readString(root.resolve("native/include/ledger_page.h")));
        Map<String, String> values = new TreeMap<>();
        while (define.find()) {
            String value = define.group(2);
            values.put(
                    define.group(1),
                    value.startsWith("\"")
                            ? value.substring(1, value.length() - 1)
                            : Long.decode(value).toString());
        }
        return values;
    }
}
