package ayatori.cli.doctor;

import java.nio.file.Path;
import java.util.List;

/**
 * The control group in which the kernel schedules a process.
 *
 * @param version 1 or 2 of cgroups(7); 0 if the process is in no group but the topmost, or its group is out of sight
 * @param path in its hierarchy, for the reader
 * @param folder where the group's files are
 * @param top folder of the topmost group in sight
 * @param withoutBudget version 1: files of groups whose real-time budget is 0, from the topmost down to the process's own;
 *     empty if that one has a budget
 * @param spare what the lowest group with a budget has not given to its children, in microseconds a period
 */
record ControlGroup(int version, String path, Path folder, Path top, List<Path> withoutBudget, long spare) {
    static final ControlGroup NONE = new ControlGroup(0, "/", Path.of("/"), Path.of("/"), List.of(), 0);

    /** If no thread in it can be made real-time, by anybody. */
    boolean refusesRealTime(HostFacts host) {
        return version == 1
                ? !withoutBudget.isEmpty()
                : version == 2 && host.realTimeGroups().orElse(false);
    }
}
