package ayatori.cli.aggregate;

import ayatori.cli.CellText;
import ayatori.cli.TextTable;
import ayatori.cli.TextTable.Column;
import ayatori.cli.ThreadTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** What the meter has counted, for people. */
final class MeterTable {
    /** So many processes are shown: those that were gone into most often. */
    private static final int SHOWN = 20;

    private static final double HUNDRED = 100;
    private static final double MEDIAN = 0.5;
    private static final double ALL_BUT_ONE_IN_A_HUNDRED = 0.99;

    private final MeterReading reading;
    private final double seconds;

    private MeterTable(MeterReading reading) {
        this.reading = reading;
        seconds = reading.nanos() / 1e9;
    }

    /** The whole text. Parameters as of {@link TextTable#draw}. */
    static List<String> draw(MeterReading reading, String scheduler, int width, char cut) {
        return new MeterTable(reading).draw(scheduler, width, cut);
    }

    private List<String> draw(String scheduler, int width, char cut) {
        List<MeterReading.AddressSpace> processes = new ArrayList<>(reading.processes());
        processes.sort(Comparator.comparingLong(MeterReading.AddressSpace::entries)
                .reversed()
                .thenComparing(Comparator.comparingLong(MeterReading.AddressSpace::ranNanos)
                        .reversed()));
        List<String> lines = new ArrayList<>();
        lines.add(CellText.printable("counted " + ThreadTable.decimal(seconds, 1) + " s under " + scheduler));
        lines.add("");
        lines.addAll(cpus(width, cut));
        lines.add("");
        lines.addAll(processes(processes.subList(0, Math.min(SHOWN, processes.size())), width, cut));
        if (processes.size() > SHOWN) {
            long rest = processes.stream()
                    .skip(SHOWN)
                    .mapToLong(MeterReading.AddressSpace::entries)
                    .sum();
            lines.add("and " + (processes.size() - SHOWN) + " others, together " + rate(rest)
                    + " SPACE/s: --json has all");
        }
        if (reading.lostSwitches() + reading.lostDelays() > 0) {
            lines.add("not in these tables, since the meter has room for so many: " + reading.lostSwitches()
                    + " switches to further processes, " + reading.lostDelays() + " delays of further threads");
        }
        return lines;
    }

    private List<String> cpus(int width, char cut) {
        List<MeterReading.Cpu> cpus = new ArrayList<>(reading.cpus());
        if (cpus.size() > 1) {
            cpus.add(new MeterReading.Cpu(
                    -1,
                    sum(MeterReading.Cpu::switches),
                    sum(MeterReading.Cpu::userSwitches),
                    sum(MeterReading.Cpu::entries)));
        }
        Column<MeterReading.Cpu> name =
                new Column<>("CPU", true, TextTable.NEVER, cpu -> cpu.number() < 0 ? "all" : "" + cpu.number());
        List<Column<MeterReading.Cpu>> columns = List.of(
                name,
                new Column<>("SWITCH/s", true, TextTable.NEVER, cpu -> rate(cpu.switches())),
                new Column<>("USER/s", true, TextTable.NEVER, cpu -> rate(cpu.userSwitches())),
                new Column<>("SPACE/s", true, TextTable.NEVER, cpu -> rate(cpu.entries())),
                new Column<>("PER SWITCH", true, TextTable.NEVER, cpu -> share(cpu.entries(), cpu.userSwitches())));
        return new TextTable<>(name).draw(columns, cpus, width, cut);
    }

    private long sum(ToLongFunction<MeterReading.Cpu> part) {
        return reading.cpus().stream().mapToLong(part).sum();
    }

    private List<String> processes(List<MeterReading.AddressSpace> shown, int width, char cut) {
        Column<MeterReading.AddressSpace> name =
                new Column<>("NAME", false, TextTable.NEVER, process -> CellText.printable(process.name()));
        List<Column<MeterReading.AddressSpace>> columns = List.of(
                new Column<>("PID", true, TextTable.NEVER, process -> "" + process.pid()),
                name,
                new Column<>("CPU %", true, TextTable.NEVER, this::cpuShare),
                new Column<>("SWITCH/s", true, TextTable.NEVER, process -> rate(process.switches())),
                new Column<>("SPACE/s", true, TextTable.NEVER, process -> rate(process.entries())),
                new Column<>("PER SWITCH", true, 1, process -> share(process.entries(), process.switches())),
                new Column<>("BATCH ms", true, 2, process -> millis(process.batches(), MEDIAN)),
                new Column<>("DELAY ms", true, 2, process -> millis(process.delays(), MEDIAN)),
                new Column<>("99 %", true, 2, process -> millis(process.delays(), ALL_BUT_ONE_IN_A_HUNDRED)));
        return new TextTable<>(name).draw(columns, shown, width, cut);
    }

    private String cpuShare(MeterReading.AddressSpace process) {
        return ThreadTable.decimal(HUNDRED * process.ranNanos() / reading.nanos(), 1);
    }

    private String rate(long count) {
        double perSecond = count / seconds;
        return ThreadTable.decimal(perSecond, perSecond < HUNDRED ? 1 : 0);
    }

    private static String share(long part, long whole) {
        return whole == 0 ? "-" : ThreadTable.decimal((double) part / whole, 3);
    }

    private static String millis(Lengths lengths, double part) {
        double nanos = lengths.quantile(part);
        return Double.isNaN(nanos) ? "-" : ThreadTable.decimal(nanos / 1e6, 3);
    }
}
