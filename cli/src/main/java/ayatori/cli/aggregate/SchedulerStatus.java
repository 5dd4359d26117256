package ayatori.cli.aggregate;

import java.util.ArrayList;
import java.util.List;

/**
 * What the scheduler has done since it was put into the kernel.
 *
 * @param loaded the kernel's name of the scheduler that it has now; empty: its own
 * @param reason why the kernel threw it out; empty: it did not
 * @param cpus those that had something to do
 * @param spaces that are still there
 */
record SchedulerStatus(String loaded, String reason, List<Cpu> cpus, List<Space> spaces) {
    private static final String HEAD = "ayatori-scheduler\t1";

    /**
     * A CPU.
     *
     * @param batches begun with an address space
     * @param usedUp of these, left since the time was over
     * @param urgent threads that went before a batch
     * @param pushed of these, that stopped a thread for it
     * @param stays if batches are granted now
     */
    record Cpu(int number, long batches, long usedUp, long urgent, long pushed, boolean stays) {}

    /**
     * An address space.
     *
     * @param pid of its process, as the initial PID namespace has it
     * @param name the process's
     * @param ranNanos on all CPUs
     * @param batches times that a CPU began with it
     */
    record Space(int pid, String name, int threads, long ranNanos, long batches) {}

    SchedulerStatus {
        cpus = List.copyOf(cpus);
        spaces = List.copyOf(spaces);
    }

    /**
     * Reads what ayatori-aggregate has written.
     *
     * @throws IllegalArgumentException if that is not whole, or of another version
     */
    static SchedulerStatus parse(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() < 2
                || !lines.getFirst().equals(HEAD)
                || !lines.getLast().equals("end")) {
            throw new IllegalArgumentException(
                    lines.isEmpty() ? "nothing" : lines.getFirst() + " to " + lines.getLast());
        }
        String loaded = "";
        String reason = "";
        List<Cpu> cpus = new ArrayList<>();
        List<Space> spaces = new ArrayList<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            String[] fields = line.split("\t", -1);
            try {
                switch (fields[0]) {
                    case "loaded" -> loaded = fields[1];
                    case "left" -> reason = fields[2] + (fields[3].isEmpty() ? "" : ": " + fields[3]);
                    case "cpu" -> cpus.add(cpu(fields));
                    case "space" -> spaces.add(space(fields));
                    default -> throw new IllegalArgumentException(line);
                }
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(line, e);
            }
        }
        return new SchedulerStatus(loaded, reason, cpus, spaces);
    }

    private static Cpu cpu(String[] fields) {
        return new Cpu(
                Integer.parseInt(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                fields[6].equals("1"));
    }

    private static Space space(String[] fields) {
        return new Space(
                Integer.parseInt(fields[1]),
                fields[2],
                Integer.parseInt(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]));
    }
}
