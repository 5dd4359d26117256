package ayatori.bench;

import ayatori.bench.RunFolder.Csv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the aggregating scheduler does to threads that compute, to one beside them that sleeps, and what it costs those to whom it can
 * bring nothing: threads that send to each other all the time, and a machine that is idle. In guests whose clock counts instructions, by
 * the kernel's own scheduler in the same guest.
 */
final class AggregationCost implements Measurement {
    private static final List<String> KERNELS = List.of("6.18", "7.2");
    private static final List<String> WAYS = List.of("eevdf", "fifo", "never", "auto", "always");
    private static final long LIMIT_SECONDS = 900;
    private static final double AT_MOST = 1.05;
    /** What is measured, and how much of it there may be by the kernel's own scheduler's. */
    private static final Map<String, Double> ASKED = new LinkedHashMap<>();

    static {
        ASKED.put("hogs-switches", 0.1);
        ASKED.put("probe-median", 2.0);
        ASKED.put("probe-late", 2.0);
        ASKED.put("hackbench", AT_MOST);
        ASKED.put("pinned-pipe", AT_MOST);
        ASKED.put("pipe", AT_MOST);
        // An idle guest wakes a few times a second by itself, at random.
        ASKED.put("idle-interrupts", 1.1);
        ASKED.put("idle-switches", 1.1);
    }

    private static final String SCRIPT = """
            built=$1 seconds=$2 loops=$3
            A=$built/ayatori-aggregate
            wakes() { awk '/^intr/ {i = $2} /^ctxt/ {c = $2} END {print i, c}' /proc/stat; }
            sleep 30 # a kernel that has just booted is not idle
            for way in $WAYS; do
                case $way in
                    eevdf) ;;
                    fifo) bpftool struct_ops register "$built/fifo.bpf.o" >/dev/null || exit ;;
                    *) "$A" start $way || exit ;;
                esac
                "$A" meter 60000 >/tmp/meter-$way & meter=$!
                until [ -s /tmp/meter-$way ]; do sleep 0.01; done
                "$built/loads" spin $((loops / 50 + 1)) 2 2 2 2 >/dev/null
                kill -INT $meter; wait $meter
                awk -v way=$way '/^nanoseconds/ {s = $2 / 1e9} /^cpu/ {n += $5} END {print way, "hogs-switches", n / s}' /tmp/meter-$way
                # The guest's CPUs take turns on one of the host's: with two who wakes waits for that too.
                if [ "$(nproc)" = 1 ]; then
                    "$built/loads" spin $((loops / 50 + 2)) 2 2 2 2 >/dev/null & load=$!
                    sleep 0.5
                    probe=($("$built/loads" probe $((loops / 50 + 1))))
                    echo "$way probe-median ${probe[2]}"
                    echo "$way probe-late ${probe[3]}"
                    wait $load
                fi
                # The middle one of three, each of so many messages that its start does not count.
                echo "$way hackbench $(for i in 1 2 3; do hackbench -g 2 -f 5 -l $((3 * loops)) | sed -n 's/^Time: //p'; done | sort -n | sed -n 2p)"
                echo "$way pinned-pipe $(taskset -c 0 "$built/loads" pipe $seconds | cut -d ' ' -f 2)"
                echo "$way pipe $("$built/loads" pipe $seconds | cut -d ' ' -f 2)"
                before=($(wakes)); sleep 60; after=($(wakes))
                echo "$way idle-interrupts $((after[0] - before[0]))"
                echo "$way idle-switches $((after[1] - before[1]))"
                case $way in
                    eevdf) ;;
                    fifo) bpftool struct_ops unregister name fifo >/dev/null ;;
                    *) "$A" stop ;;
                esac
            done
            """;

    /** In a guest of one CPU or two. */
    private record Setting(String kernel, int cpus) {}

    @Override
    public boolean run(Bench bench) throws IOException, InterruptedException {
        boolean held = true;
        try (Csv csv = bench.folder().csv("aggregation-cost", "kernel,cpus,way,what,value")) {
            for (String kernel : KERNELS) {
                for (int cpus = 1; cpus <= 2; cpus++) {
                    held &= run(bench, new Setting(kernel, cpus), csv);
                }
            }
        }
        return held;
    }

    private static boolean run(Bench bench, Setting setting, Csv csv) throws IOException, InterruptedException {
        Map<String, Map<String, Double>> values = measure(bench, setting);
        Map<String, Double> base = values.getOrDefault("eevdf", Map.of());
        if (values.size() != WAYS.size() || values.values().stream().anyMatch(of -> of.size() != base.size())) {
            Bench.say("Linux %s, %d CPUs: not measured whole: %s", setting.kernel(), setting.cpus(), values);
            return false;
        }
        boolean held = true;
        for (String way : WAYS) {
            Map<String, Double> of = values.getOrDefault(way, Map.of());
            for (var entry : of.entrySet()) {
                csv.row(setting.kernel(), setting.cpus(), way, entry.getKey(), entry.getValue());
            }
            if (!way.equals("eevdf")) {
                held &= tell(setting, way, of, base);
            }
        }
        return held;
    }

    /** Of what is asked of ours, if it is held. */
    private static boolean tell(Setting setting, String way, Map<String, Double> of, Map<String, Double> base) {
        boolean asked = way.equals("auto") || way.equals("always");
        boolean held = true;
        StringBuilder text = new StringBuilder();
        for (var each : ASKED.entrySet()) {
            String what = each.getKey();
            if (!base.containsKey(what)) {
                continue;
            }
            double ratio = of.getOrDefault(what, 0.0) / base.getOrDefault(what, 0.0);
            double more = what.endsWith("pipe") ? 1 / ratio : ratio; // rounds; all others are time or counts
            boolean within = more <= each.getValue() || (what.equals("hogs-switches") && !way.equals("always"));
            held &= within || !asked;
            text.append(String.format(
                    Locale.ROOT,
                    "  %s %.2f%s",
                    what,
                    more,
                    !asked ? "" : within ? " held" : " MISSED (%.2f)".formatted(each.getValue())));
        }
        Bench.say(
                "Linux %s, %d CPU%s, %-6s by EEVDF:%s",
                setting.kernel(), setting.cpus(), setting.cpus() == 1 ? "" : "s", way, text);
        return held;
    }

    /** By way and what. */
    private static Map<String, Map<String, Double>> measure(Bench bench, Setting setting)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(Bench.scratch(), "cost", ".out");
        try {
            List<String> command = new ArrayList<>(List.of(
                    Bench.root().resolve("native/aggregate/guest/boot").toString(),
                    "-k",
                    setting.kernel(),
                    "-c",
                    "" + setting.cpus(),
                    "-t",
                    "" + LIMIT_SECONDS));
            command.addAll(List.of("env", "WAYS=" + String.join(" ", WAYS), "bash", "-c", SCRIPT, "cost"));
            command.add(Bench.root().resolve("native/build/aggregate").toString());
            command.addAll(bench.shortened() ? List.of("0.05", "5") : List.of("0.5", "100"));
            Load.start(command, output).waitFor();
            Map<String, Map<String, Double>> values = new HashMap<>();
            for (String line : Files.readAllLines(output)) {
                String[] fields = line.split(" ", -1);
                if (WAYS.contains(fields[0]) && fields.length == 3 && !fields[2].isEmpty()) {
                    values.computeIfAbsent(fields[0], any -> new HashMap<>())
                            .put(fields[1], Double.parseDouble(fields[2]));
                } else {
                    Bench.say("  %s", line);
                }
            }
            return values;
        } finally {
            Files.delete(output);
        }
    }
}
