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
     * @param spaces switches from one address space to another
     * @param batches begun with an address space
     * @param usedUp of these, left since the time was over
     * @param urgent threads that went before a batch
     * @param pushed of these, that stopped a thread for it
     * @param stays if batches are granted now
     */
    record Cpu(int number, long spaces, long batches, long usedUp, long urgent, long pushed, boolean stays) {}

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
        String loaded = "";
        String reason = "";
        List<Cpu> cpus = new ArrayList<>();
        List<Space> spaces = new ArrayList<>();
        for (Fields fields : Fields.parse(text, HEAD)) {
            switch (fields.subject()) {
                case "loaded" -> loaded = fields.text(1);
                case "left" -> reason = fields.text(2) + (fields.text(3).isEmpty() ? "" : ": " + fields.text(3));
                case "cpu" -> cpus.add(cpu(fields));
                case "space" -> spaces.add(space(fields));
                default -> throw fields.unknown();
            }
        }
        return new SchedulerStatus(loaded, reason, cpus, spaces);
    }

    private static Cpu cpu(Fields fields) {
        return new Cpu(
                fields.number(1),
                fields.count(2),
                fields.count(3),
                fields.count(4),
                fields.count(5),
                fields.count(6),
                fields.text(7).equals("1"));
    }

    private static Space space(Fields fields) {
        return new Space(fields.number(1), fields.text(2), fields.number(3), fields.count(4), fields.count(5));
    }
}
