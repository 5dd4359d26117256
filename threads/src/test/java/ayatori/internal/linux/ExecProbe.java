package ayatori.internal.linux;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Becomes the program that its arguments name, as the kernel has them. */
public final class ExecProbe {
    private ExecProbe() {}

    public static void main(String[] arguments) throws Exception {
        List<byte[]> all = Exec.commandLine();
        List<byte[]> program = all.subList(all.size() - arguments.length, all.size());
        String before = blocked();
        for (Path descriptor : descriptorsOfTheRuntime()) {
            Exec.closeOnExec(Integer.parseInt(descriptor.getFileName().toString()));
        }
        Exec.ignore(Long.parseUnsignedLong(System.getProperty("probe.ignore", "0"), 16));
        int result = Exec.replaceProcess(program.get(0), program, Exec.environment(), Exec.primordialSignalMask());
        System.out.println(Errno.name(result) + ", mask as before: " + before.equals(blocked()));
    }

    private static List<Path> descriptorsOfTheRuntime() throws Exception {
        List<Path> descriptors = new ArrayList<>();
        try (var all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : all) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).startsWith(System.getProperty("java.home"))) {
                    descriptors.add(descriptor);
                }
            }
        }
        return descriptors;
    }

    private static String blocked() throws Exception {
        return Files.readString(Path.of("/proc/thread-self/status"), StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> line.startsWith("SigBlk"))
                .findFirst()
                .orElseThrow();
    }
}
