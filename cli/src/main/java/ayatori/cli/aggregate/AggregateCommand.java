package ayatori.cli.aggregate;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ayatori aggregate}: address spaces and the scheduler. */
@Command(
        name = "aggregate",
        header =
                "Threads that share an address space, and the CPUs: how often these go to another one, and less often.",
        synopsisHeading = "Usage: ",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            AggregateRunCommand.class,
            StartCommand.class,
            StopCommand.class,
            StatusCommand.class,
            MeterCommand.class
        },
        mixinStandardHelpOptions = true,
        footer = {"", "See ayatori aggregate COMMAND --help."})
public final class AggregateCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "no command given");
        }
    }
}
