package ayatori.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * JAVA_TOOL_OPTIONS and its like as HotSpot reads them (parse_options_buffer in arguments.cpp): white space separates;
 * ' and " quote up to the next of their kind and are dropped; there is no escape.
 */
final class ToolOptions {
    private ToolOptions() {}

    /** The arguments in a value. */
    static List<String> split(String value) {
        List<String> arguments = new ArrayList<>();
        int i = 0;
        while (i < value.length()) {
            if (isSpace(value.charAt(i))) {
                i++;
                continue;
            }
            StringBuilder argument = new StringBuilder();
            while (i < value.length() && !isSpace(value.charAt(i))) {
                char c = value.charAt(i++);
                if (c == '\'' || c == '"') {
                    int end = value.indexOf(c, i);
                    // HotSpot refuses to start with an unmatched quote; that is for it to say.
                    end = end < 0 ? value.length() : end;
                    argument.append(value, i, end);
                    i = end + 1;
                } else {
                    argument.append(c);
                }
            }
            arguments.add(argument.toString());
        }
        return arguments;
    }

    /** The value with one more argument at its end. */
    static String append(String value, String argument) {
        return value.isBlank() ? quote(argument) : value + " " + quote(argument);
    }

    /** Writes an argument so that {@link #split} and HotSpot read it as one. */
    static String quote(String argument) {
        if (argument.chars().noneMatch(c -> isSpace((char) c) || c == '\'' || c == '"')) {
            return argument;
        }
        // "…" around everything but its own kind of quote, which stands in '…'.
        return '"' + argument.replace("\"", "\"'\"'\"") + '"';
    }

    /** isspace(3) in the C locale. */
    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }
}
