package ayatori.cli.demo;

/**
 * A run that was stopped because its threads did not end: without placement that happens, and is a result.
 *
 * @param configuration what ran
 * @param cpus how many CPUs the JVM had
 * @param round which repetition, from 1
 * @param reason what was waited for, and how long
 */
record Unended(Configuration configuration, int cpus, int round, String reason) {
    /** "naive, 2 CPUs, run 1: did not end: ...". */
    @Override
    public String toString() {
        return configuration.key() + ", " + TerminalView.cpus(cpus) + ", run " + round + ": did not end: " + reason;
    }
}
