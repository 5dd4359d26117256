package ayatori.cli.doctor;

import java.util.Locale;

/** What a finding means for the user, from the lightest. */
enum Verdict {
    /** As it should be. */
    OK,
    /** Good to know; nothing to mend. */
    INFO,
    /** It works, and worse than it could. */
    WARNING,
    /** Something that the user asks of Ayatori cannot be had. */
    PROBLEM;

    /** The word in the report. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
