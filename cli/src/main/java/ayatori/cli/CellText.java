package ayatori.cli;

import java.lang.Character.UnicodeScript;

/** Text in the cells of a terminal: Han characters and their like take two, accents none. */
public final class CellText {
    private CellText() {}

    /** How many cells a text takes. */
    public static int width(String text) {
        return text.codePoints().map(CellText::width).sum();
    }

    /**
     * Cuts out of the middle: pools number their threads at the end, and say whose they are at the beginning.
     *
     * @param mark stands where something was cut, one cell
     */
    public static String fit(String text, int cells, char mark) {
        if (width(text) <= cells) {
            return text;
        }
        int tail = (cells - 1) / 2;
        int head = cells - 1 - tail;
        int end = 0;
        for (int used = 0; ; ) {
            int codePoint = text.codePointAt(end);
            used += width(codePoint);
            if (used > head) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        int start = text.length();
        for (int used = 0; ; ) {
            int codePoint = text.codePointBefore(start);
            used += width(codePoint);
            if (used > tail) {
                break;
            }
            start -= Character.charCount(codePoint);
        }
        return text.substring(0, end) + mark + text.substring(start);
    }

    /** Fills up with spaces. */
    public static String pad(String text, int cells, boolean right) {
        String spaces = " ".repeat(Math.max(0, cells - width(text)));
        return right ? spaces + text : text + spaces;
    }

    /** A name comes from another program: what would steer the terminal is shown as '?'. */
    public static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static int width(int codePoint) {
        if (codePoint < 0x300) {
            return 1;
        }
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        UnicodeScript script = UnicodeScript.of(codePoint);
        boolean wide = script == UnicodeScript.HAN
                || script == UnicodeScript.HIRAGANA
                || script == UnicodeScript.KATAKANA
                || script == UnicodeScript.HANGUL
                || (codePoint >= 0x3000 && codePoint < 0x3040) // CJK punctuation
                || (codePoint >= 0xFF01 && codePoint <= 0xFF60) // full-width forms
                || (codePoint >= 0x1F300 && codePoint < 0x1FA00); // pictographs
        return wide && (codePoint < 0xFF61 || codePoint > 0xFF9F) ? 2 : 1; // half-width Katakana
    }
}
