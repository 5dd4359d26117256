package ayatori.cli.top;

import ayatori.cli.NativeProgram;
import ayatori.cli.ProgramName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Follows the real-time threads of one native program from sample to sample. Not thread-safe. */
final class WatchedProgram implements AutoCloseable {
    /** See {@link ayatori.sched.SchedulingParameters#rank}. */
    private static final int LOWEST_REAL_TIME_RANK = 101;

    private final NativeProgram program;
    private final Optional<String> name;
    private final String commandLine;
    private final ThreadMeters meters;

    /** @throws IOException if the process has ended */
    WatchedProgram(NativeProgram program, ProcFiles files) throws IOException {
        this.program = program;
        this.name = ProgramName.of(program.pid());
        this.commandLine = program.commandLine();
        this.meters = new ThreadMeters(program.pid(), files);
    }

    /** What a sample says of the process itself. */
    Watch.Shown shown() {
        return new Watch.Shown(program.pid(), false, name, commandLine, "its real-time threads");
    }

    /** Whether it has ended, or become another by exec. */
    boolean isAnother() {
        try {
            return !program.commandLine().equals(commandLine);
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Takes a sample.
     *
     * @throws IOException if the process has ended, or has no real-time threads any more
     */
    List<LiveRow> sample() throws IOException {
        meters.sample();
        List<LiveRow> rows = new ArrayList<>();
        for (ThreadMeter meter : meters.all()) {
            try {
                LiveRow row = meter.row(program.pid(), name, meter.byKernel().ofNativeProgram());
                if (row.thread().actual().rank() >= LOWEST_REAL_TIME_RANK) {
                    rows.add(row);
                }
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        if (rows.isEmpty()) {
            throw new NoSuchFileException("/proc/" + program.pid());
        }
        return rows;
    }

    @Override
    public void close() throws IOException {
        meters.close();
    }
}
