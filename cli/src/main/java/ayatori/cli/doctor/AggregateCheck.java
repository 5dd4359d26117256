package ayatori.cli.doctor;

/** What ayatori aggregate can do here: docs/aggregate.md says what it takes. Nothing else depends on it, so that it warns of nothing. */
final class AggregateCheck {
    static final String CHECK = "ayatori aggregate";
    private static final String OURS = "ayatori";

    private AggregateCheck() {}

    static Finding of(HostFacts host) {
        if (!host.typeNames()) {
            return Finding.of(
                            Verdict.INFO, CHECK, "run --without-bpf only: the kernel takes neither meter nor scheduler")
                    .because("/sys/kernel/btf/vmlinux is not there: it takes a kernel with CONFIG_DEBUG_INFO_BTF");
        }
        if (!host.takesSchedulers()) {
            return Finding.of(Verdict.INFO, CHECK, "meter and run --without-bpf: the kernel takes no schedulers")
                    .because(
                            host.since(6, 13)
                                    ? "Linux " + host.release() + " was built without CONFIG_SCHED_CLASS_EXT"
                                    : "Linux " + host.release()
                                            + ": it takes 6.13 or later, with CONFIG_SCHED_CLASS_EXT");
        }
        return host.scheduler()
                .map(name -> name.startsWith(OURS)
                        ? Finding.of(Verdict.OK, CHECK, "the kernel has the scheduler " + name)
                                .because("see ayatori aggregate status")
                        : Finding.of(
                                Verdict.INFO, CHECK, "the kernel has the scheduler " + name + ", and takes one only"))
                .orElseGet(() -> Finding.of(Verdict.OK, CHECK, "the kernel takes the scheduler, from root"));
    }
}
