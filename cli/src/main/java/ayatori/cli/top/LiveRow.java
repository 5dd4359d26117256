package ayatori.cli.top;

import ayatori.cli.ThreadRow;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A thread in a sample.
 *
 * @param pid its process, in this command's PID namespace
 * @param program its process's name in the host file; empty if it has none, or this user may not look
 * @param rates of the last interval; empty in the first sample
 */
record LiveRow(int pid, Optional<String> program, ThreadRow thread, Optional<Rates> rates) {
    boolean isNamed() {
        return program.isPresent();
    }

    /** One of the rates; 0 while there are none. */
    double rate(ToDoubleFunction<Rates> which) {
        return rates.isPresent() ? which.applyAsDouble(rates.get()) : 0;
    }

    /**
     * Where the kernel has it, as {@link ayatori.sched.SchedulingParameters#rank}: with what a futex lends it at the
     * moment.
     */
    int rank() {
        int field = thread.kernelPriority();
        int lent = field >= 0 ? 40 - field : 99 - field;
        return thread.inherits() ? lent : thread.actual().rank();
    }
}
