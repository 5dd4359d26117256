package ayatori.cli.aggregate;

import java.util.ArrayList;
import java.util.List;

/**
 * What the meter has counted.
 *
 * @param nanos for so long
 * @param cpus those that had something to do
 * @param processes those of which a thread ran
 * @param lostSwitches to processes that the meter had no room for
 * @param lostDelays of threads likewise
 */
record MeterReading(long nanos, List<Cpu> cpus, List<AddressSpace> processes, long lostSwitches, long lostDelays) {
    private static final String HEAD = "ayatori-meter\t1";

    /**
     * A CPU.
     *
     * @param switches all
     * @param userSwitches to a thread of a process
     * @param entries of these, out of another address space
     */
    record Cpu(int number, long switches, long userSwitches, long entries) {}

    /**
     * What shares an address space: a process, as a rule.
     *
     * @param pid as the initial PID namespace has it
     * @param name the kernel's, of 15 bytes
     * @param switches to one of its threads
     * @param entries of these, out of another address space
     * @param ranNanos on CPUs
     * @param delayNanos ready and not on a CPU, of all threads
     * @param batches what it ran on a CPU between two other address spaces there
     * @param delays of each time that a thread became ready
     */
    record AddressSpace(
            int pid,
            String name,
            long switches,
            long entries,
            long ranNanos,
            long delayNanos,
            Lengths batches,
            Lengths delays) {}

    MeterReading {
        cpus = List.copyOf(cpus);
        processes = List.copyOf(processes);
    }

    /**
     * Reads what ayatori-aggregate has written.
     *
     * @throws IllegalArgumentException if that is not whole, or of another version
     */
    static MeterReading parse(String text) {
        long nanos = 0;
        long[] lost = new long[2];
        List<Cpu> cpus = new ArrayList<>();
        List<AddressSpace> processes = new ArrayList<>();
        for (Fields fields : Fields.parse(text, HEAD)) {
            switch (fields.subject()) {
                case "nanoseconds" -> nanos = fields.count(1);
                case "cpu" -> cpus.add(cpu(fields));
                case "process" -> processes.add(process(fields));
                case "lost" -> lost = new long[] {fields.count(1), fields.count(2)};
                default -> throw fields.unknown();
            }
        }
        return new MeterReading(nanos, cpus, processes, lost[0], lost[1]);
    }

    private static Cpu cpu(Fields fields) {
        return new Cpu(fields.number(1), fields.count(2), fields.count(3), fields.count(4));
    }

    private static AddressSpace process(Fields fields) {
        return new AddressSpace(
                fields.number(1),
                fields.text(2),
                fields.count(3),
                fields.count(4),
                fields.count(5),
                fields.count(6),
                fields.lengths(7),
                fields.lengths(8));
    }
}
