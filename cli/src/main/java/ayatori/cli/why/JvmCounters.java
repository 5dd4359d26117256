package ayatori.cli.why;

import ayatori.cli.JvmProcess;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import sun.jvmstat.monitor.Monitor;
import sun.jvmstat.monitor.MonitorException;
import sun.jvmstat.monitor.MonitoredHost;
import sun.jvmstat.monitor.MonitoredVm;
import sun.jvmstat.monitor.VmIdentifier;

/**
 * What a JVM counts itself in the file hsperfdata that jstat(1) reads, too: the JVM does not notice.
 *
 * @param safepoints how often all Java threads were stopped
 * @param safepointNanos and for how long in all
 * @param collectors collections by kind, in the JVM's words
 */
record JvmCounters(long safepoints, long safepointNanos, List<Collector> collectors) {
    private static final String COLLECTOR = "sun.gc.collector.";

    /** Collections of a kind: how many, and how long the threads stood still for them. */
    record Collector(String name, long count, long nanos) {}

    /** Reads; empty if the JVM keeps no such file ({@code -XX:-UsePerfData}), or not for this user. */
    static Optional<JvmCounters> of(JvmProcess process) {
        try {
            VmIdentifier id = new VmIdentifier("//" + process.pid());
            MonitoredVm vm = MonitoredHost.getMonitoredHost(id).getMonitoredVm(id);
            try {
                return Optional.of(read(vm));
            } finally {
                vm.detach();
            }
        } catch (MonitorException | URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static JvmCounters read(MonitoredVm vm) throws MonitorException {
        double tick = 1e9 / number(vm, "sun.os.hrt.frequency");
        List<Collector> collectors = new ArrayList<>();
        for (int i = 0; vm.findByName(COLLECTOR + i + ".name") != null; i++) {
            collectors.add(new Collector(
                    text(vm, COLLECTOR + i + ".name"),
                    number(vm, COLLECTOR + i + ".invocations"),
                    Math.round(tick * number(vm, COLLECTOR + i + ".time"))));
        }
        return new JvmCounters(
                number(vm, "sun.rt.safepoints"), Math.round(tick * number(vm, "sun.rt.safepointTime")), collectors);
    }

    private static long number(MonitoredVm vm, String name) throws MonitorException {
        return Long.parseLong(text(vm, name));
    }

    private static String text(MonitoredVm vm, String name) throws MonitorException {
        Monitor monitor = vm.findByName(name);
        if (monitor == null) {
            throw new MonitorException("no counter " + name);
        }
        return monitor.getValue().toString();
    }

    /** What was counted since an earlier moment. */
    JvmCounters since(JvmCounters before) {
        List<Collector> grown = new ArrayList<>();
        for (int i = 0; i < collectors.size(); i++) {
            Collector now = collectors.get(i);
            Collector then = before.collectors.get(i);
            grown.add(new Collector(now.name(), now.count() - then.count(), now.nanos() - then.nanos()));
        }
        return new JvmCounters(safepoints - before.safepoints, safepointNanos - before.safepointNanos, grown);
    }
}
