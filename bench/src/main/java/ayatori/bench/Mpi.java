package ayatori.bench;

import ayatori.bench.ProgramBuild.Need;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An MPI of this host, by Debian's names: plain {@code mpicc} is whichever was installed last. */
enum Mpi {
    MPICH("MPICH", "mpich", "mpich libmpich-dev"),
    OPEN_MPI("Open MPI", "openmpi", "openmpi-bin libopenmpi-dev");

    private final String label;
    private final String suffix;
    private final String packages;

    Mpi(String label, String suffix, String packages) {
        this.label = label;
        this.suffix = suffix;
        this.packages = packages;
    }

    String label() {
        return label;
    }

    private Path program(String name) {
        return ProgramBuild.target().resolve(name + "." + suffix);
    }

    /** Those that are here, with this program of bench/src/main/c built for each. Of the others it is said what brings them. */
    static List<Mpi> withProgram(String name) throws IOException, InterruptedException {
        List<Mpi> here = new ArrayList<>();
        for (Mpi mpi : values()) {
            String remedy = "apt-get install " + mpi.packages;
            Optional<String> failure = ProgramBuild.failureInC(
                    name + "." + mpi.suffix,
                    List.of(
                            ProgramBuild.MAKE,
                            ProgramBuild.GCC,
                            new Need("mpicc." + mpi.suffix, remedy),
                            new Need("mpiexec." + mpi.suffix, remedy)));
            if (failure.isEmpty()) {
                here.add(mpi);
            } else {
                Bench.say("%s is left out: %s", mpi.label, failure.get());
            }
        }
        return here;
    }

    /** Runs a program in so many processes. It ends by itself when that takes too long. */
    Load.Outcome run(String name, int processes, long limitSeconds, Object... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mpiexec." + suffix));
        boolean ownCpus = processes <= Runtime.getRuntime().availableProcessors();
        if (this == OPEN_MPI) {
            // Otherwise it wants no root, and no more processes than CPUs. It binds by itself.
            command.add("--allow-run-as-root");
            if (!ownCpus) {
                command.add("--oversubscribe");
            }
        } else if (ownCpus) {
            command.addAll(List.of("-bind-to", "core")); // otherwise two that spin may share one for seconds
        }
        command.addAll(List.of("-n", Integer.toString(processes), program(name).toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return Load.run(label, command, limitSeconds);
    }
}
