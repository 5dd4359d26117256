package ayatori.cli.doctor;

import ayatori.cli.Band;
import ayatori.cli.HostFile;
import ayatori.cli.JvmProcess;
import ayatori.cli.Roster;
import ayatori.cli.UserMistake;
import ayatori.internal.linux.Sched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what there is to read, runs what has to be tried, and has the checks judge it. */
final class Examination {
    /** Collectors that a new JVM can be told to use as they are; the agent's hooks differ by collector. */
    private static final List<String> COLLECTORS =
            List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "UseShenandoahGC");

    private final KernelFiles files = new KernelFiles(Path.of("/"));
    private final int probeSeconds;
    private final Optional<Path> hostFile;
    private final Optional<Band> band;
    private Optional<HostFile> ranking = Optional.empty();

    /**
     * @param probeSeconds how long to look at the host's timekeeping; 0 for not at all
     * @param hostFile the one to read; empty for the usual one, if there is any
     * @param band that the user thinks of; empty for the JVM's own
     */
    Examination(int probeSeconds, Optional<Path> hostFile, Optional<Band> band) {
        this.probeSeconds = probeSeconds;
        this.hostFile = hostFile;
        this.band = band;
    }

    /** This host, this user, and a JVM if one is given. @throws IOException if the JVM has ended */
    Report run(Optional<JvmProcess> process) throws IOException, InterruptedException {
        HostFacts host = HostReader.read(files);
        ProcessFacts self = new ProcessReader(files, 0).read(System.getProperty("user.name", "?"));
        List<Section> sections = new ArrayList<>();
        sections.add(host(host));
        Needs needs = Needs.of(band);
        Trial trial = Trial.run(needs);
        List<Finding> own = checks(host, self, self, needs, Optional.empty(), Optional.of(trial));
        own.addFirst(PrivilegeCheck.policies(host, self, trial));
        if (process.isEmpty()) {
            Mechanisms java = AgentTrial.of("java", List.of());
            own.addAll(MechanismCheck.of(java));
            boolean raise = trial.realTimeErrno() == 0;
            boolean beRealTime = raise || Trial.run(Needs.LEAST).realTimeErrno() == 0;
            var rights = new RequestCheck.Rights(beRealTime, raise, ContainerCheck.hasOwnProcessIds(self));
            own.add(RequestCheck.of(host, RequestTrial.run(), rights, java.version()));
        }
        sections.add(new Section("user", "user " + self.user() + ", and what is started from here", own));
        if (process.isPresent()) {
            sections.add(jvm(host, self, process.get()));
        }
        return new Report(sections);
    }

    private Section host(HostFacts host) throws InterruptedException {
        List<Finding> findings = new ArrayList<>(ThrottlingCheck.of(host));
        findings.add(AggregateCheck.of(host));
        findings.addAll(bands());
        if (probeSeconds > 0) {
            findings.addAll(TimekeepingCheck.of(WakeupProbe.run(files, probeSeconds)));
        }
        return new Section("host", "host, Linux " + host.release() + ", CPUs " + host.online(), findings);
    }

    private List<Finding> bands() {
        List<Finding> findings = new ArrayList<>();
        Optional<Path> path = hostFile.or(() -> Optional.of(HostFile.USUAL).filter(Files::exists));
        try {
            ranking = path.map(HostFile::read);
            ranking.ifPresent(it -> findings.add(BandCheck.usable(it)));
        } catch (UserMistake e) {
            findings.add(BandCheck.unusable(path.orElseThrow(), String.valueOf(e.getMessage())));
        }
        findings.addAll(BandCheck.of(SpanReader.read(files), ranking, Roster::band));
        return findings;
    }

    private Section jvm(HostFacts host, ProcessFacts self, JvmProcess process)
            throws IOException, InterruptedException {
        JvmFacts jvm = JvmReader.read(process);
        String owner = process.owner().replaceFirst("^user ", "");
        ProcessFacts facts = new ProcessReader(files, process.pid()).read(owner);
        Needs needs = Needs.of(band.or(() -> AskedBand.of(files, process.pid(), ranking)));
        List<Finding> findings = checks(host, facts, self, needs, Optional.of(jvm), Optional.empty());
        findings.addAll(JvmCheck.of(jvm));
        findings.addAll(MechanismCheck.of(mechanisms(process, jvm, facts)));
        if (!files.exists("/proc/" + process.pid() + "/status")) {
            throw new IOException("it has ended meanwhile, and what was read is of nobody");
        }
        return new Section("jvm", "JVM " + process.pid() + " of user " + owner, findings);
    }

    private static List<Finding> checks(
            HostFacts host,
            ProcessFacts process,
            ProcessFacts self,
            Needs needs,
            Optional<JvmFacts> jvm,
            Optional<Trial> trial) {
        List<Finding> findings = new ArrayList<>(PrivilegeCheck.of(host, process, needs, trial));
        findings.addAll(GroupCheck.of(host, process));
        findings.addAll(CpuCheck.of(host, process, jvm));
        findings.addAll(ContainerCheck.of(process, self));
        findings.addAll(MemoryCheck.of(host, process, jvm));
        return findings;
    }

    /** Root does not run what another user has put there, and what is in another file system cannot be run from here. */
    private Mechanisms mechanisms(JvmProcess process, JvmFacts jvm, ProcessFacts facts) throws InterruptedException {
        String folder = "/proc/" + process.pid();
        Optional<String> program = files.link(folder + "/exe");
        if (program.isEmpty()) {
            return Mechanisms.notTried(
                    "its java",
                    "the JVM has privileges that you have not, so its files are hidden",
                    new Remedy("a shell", "sudo ayatori doctor " + process.pid()));
        }
        Path java = Path.of(program.get());
        if (process.user() != Sched.geteuid()) {
            return Mechanisms.notTried(
                    java.toString(),
                    "only " + process.owner() + " should start that program",
                    new Remedy("a shell", "sudo -u " + facts.user() + " ayatori doctor " + process.pid()));
        }
        if (!files.link(folder + "/ns/mnt").equals(files.link("/proc/self/ns/mnt"))) {
            return Mechanisms.notTried(
                    java.toString(),
                    "it is in another mount namespace (a container)",
                    new Remedy("inside of it", "ayatori doctor " + facts.innerPid()));
        }
        if (!java.endsWith("java")) {
            return Mechanisms.notTried(
                    java.toString(),
                    "it is no java, but a program with a JVM in it",
                    new Remedy("with the java of the same JDK on PATH", "ayatori doctor"));
        }
        List<String> options = COLLECTORS.stream()
                .filter(collector -> jvm.flag(collector).orElse(false))
                .map(collector -> "-XX:+" + collector)
                .toList();
        return AgentTrial.of(java.toString(), options);
    }
}
