package ayatori.cli.aggregate;

import ayatori.cli.CellText;
import ayatori.cli.TextTable;
import ayatori.cli.TextTable.Column;
import ayatori.cli.ThreadTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What the scheduler has done, for people. */
final class StatusTable {
    /** So many address spaces are shown: those that ran most. */
    private static final int SHOWN = 20;

    private static final double HUNDRED = 100;

    private StatusTable() {}

    /** The whole text. Parameters as of {@link TextTable#draw}. */
    static List<String> draw(SchedulerStatus status, int width, char cut) {
        List<String> lines = new ArrayList<>();
        if (status.reason().isEmpty()) {
            lines.add("the kernel has the scheduler " + CellText.printable(status.loaded()));
        } else {
            lines.add("the kernel has thrown the scheduler out and has "
                    + (status.loaded().isEmpty() ? "its own again" : CellText.printable(status.loaded()) + " now")
                    + ": " + CellText.printable(status.reason()));
            lines.add("ayatori aggregate start puts it there again. Until then:");
        }
        lines.add("");
        lines.addAll(cpus(status.cpus(), width, cut));
        List<SchedulerStatus.Space> spaces = new ArrayList<>(status.spaces());
        spaces.sort(Comparator.comparingLong(SchedulerStatus.Space::ranNanos).reversed());
        double all =
                spaces.stream().mapToDouble(SchedulerStatus.Space::ranNanos).sum();
        lines.add("");
        lines.addAll(spaces(spaces.subList(0, Math.min(SHOWN, spaces.size())), all, width, cut));
        if (spaces.size() > SHOWN) {
            lines.add("and " + (spaces.size() - SHOWN) + " others");
        }
        return lines;
    }

    private static List<String> cpus(List<SchedulerStatus.Cpu> cpus, int width, char cut) {
        Column<SchedulerStatus.Cpu> number = new Column<>("CPU", true, TextTable.NEVER, cpu -> "" + cpu.number());
        List<Column<SchedulerStatus.Cpu>> columns = List.of(
                number,
                new Column<>("SWITCHES", true, TextTable.NEVER, cpu -> "" + cpu.spaces()),
                new Column<>("BATCHES", true, TextTable.NEVER, cpu -> "" + cpu.batches()),
                new Column<>("USED UP", true, TextTable.NEVER, cpu -> "" + cpu.usedUp()),
                new Column<>("URGENT", true, TextTable.NEVER, cpu -> "" + cpu.urgent()),
                new Column<>("PUSHED", true, TextTable.NEVER, cpu -> "" + cpu.pushed()),
                new Column<>("NOW", false, TextTable.NEVER, cpu -> cpu.stays() ? "stays" : "takes turns"));
        return new TextTable<>(number).draw(columns, cpus, width, cut);
    }

    private static List<String> spaces(List<SchedulerStatus.Space> spaces, double all, int width, char cut) {
        Column<SchedulerStatus.Space> name =
                new Column<>("NAME", false, TextTable.NEVER, space -> CellText.printable(space.name()));
        List<Column<SchedulerStatus.Space>> columns = List.of(
                new Column<>("PID", true, TextTable.NEVER, space -> "" + space.pid()),
                name,
                new Column<>("THREADS", true, TextTable.NEVER, space -> "" + space.threads()),
                new Column<>("RAN s", true, TextTable.NEVER, space -> ThreadTable.decimal(space.ranNanos() / 1e9, 3)),
                new Column<>(
                        "SHARE %",
                        true,
                        TextTable.NEVER,
                        space -> ThreadTable.decimal(all == 0 ? 0 : HUNDRED * space.ranNanos() / all, 1)),
                new Column<>("BATCHES", true, TextTable.NEVER, space -> "" + space.batches()));
        return new TextTable<>(name).draw(columns, spaces, width, cut);
    }
}
