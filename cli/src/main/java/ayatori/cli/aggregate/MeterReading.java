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
        List<String> lines = text.lines().toList();
        if (lines.size() < 2
                || !lines.getFirst().equals(HEAD)
                || !lines.getLast().equals("end")) {
            throw new IllegalArgumentException(
                    lines.isEmpty() ? "nothing" : lines.getFirst() + " to " + lines.getLast());
        }
        long nanos = 0;
        long[] lost = new long[2];
        List<Cpu> cpus = new ArrayList<>();
        List<AddressSpace> processes = new ArrayList<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            String[] fields = line.split("\t", -1);
            try {
                switch (fields[0]) {
                    case "nanoseconds" -> nanos = Long.parseLong(fields[1]);
                    case "cpu" -> cpus.add(cpu(fields));
                    case "process" -> processes.add(process(fields));
                    case "lost" -> lost = new long[] {Long.parseLong(fields[1]), Long.parseLong(fields[2])};
                    default -> throw new IllegalArgumentException(line);
                }
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(line, e);
            }
        }
        return new MeterReading(nanos, cpus, processes, lost[0], lost[1]);
    }

    private static Cpu cpu(String[] fields) {
        return new Cpu(
                Integer.parseInt(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]));
    }

    private static AddressSpace process(String[] fields) {
        return new AddressSpace(
                Integer.parseInt(fields[1]),
                fields[2],
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]),
                Lengths.parse(fields[7]),
                Lengths.parse(fields[8]));
    }
}
