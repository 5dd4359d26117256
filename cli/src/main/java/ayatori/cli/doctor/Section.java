package ayatori.cli.doctor;

import java.util.List;

/**
 * Findings about one thing.
 *
 * @param about {@code host}, {@code user} or {@code jvm}
 * @param title for the reader
 * @param findings in the order of the checks
 */
record Section(String about, String title, List<Finding> findings) {}
