package ayatori.cli.doctor;

/**
 * A line that mends a finding.
 *
 * @param where it is typed or written, for instance {@code systemd unit}
 * @param line exactly
 */
record Remedy(String where, String line) {}
