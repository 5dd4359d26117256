package ayatori.internal.linux;

import java.util.HashMap;
import java.util.Map;

/** Names of the system calls that threads of a JVM sleep in. */
public final class SystemCallNames {
    /** Name, number on x86_64, number on aarch64; -1 where there is none. */
    private static final String TABLE = """
            read 0 63
            write 1 64
            poll 7 -1
            pread64 17 67
            pwrite64 18 68
            readv 19 65
            writev 20 66
            select 23 -1
            nanosleep 35 101
            accept 43 202
            recvfrom 45 207
            recvmsg 47 212
            fcntl 72 25
            flock 73 32
            fsync 74 82
            fdatasync 75 83
            sched_yield 24 124
            connect 42 203
            sendto 44 206
            sendmsg 46 211
            wait4 61 260
            epoll_wait 232 -1
            clock_nanosleep 230 115
            futex 202 98
            futex_waitv 449 449
            waitid 247 95
            openat 257 56
            pselect6 270 72
            ppoll 271 73
            epoll_pwait 281 22
            accept4 288 242
            io_uring_enter 426 426
            """;

    private static final Map<Long, String> NAMES = names();

    private SystemCallNames() {}

    private static Map<Long, String> names() {
        Map<Long, String> names = new HashMap<>();
        TABLE.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            names.put(Syscall.number(Integer.parseInt(words[1]), Integer.parseInt(words[2])), words[0]);
        });
        return Map.copyOf(names);
    }

    /** The name of a call on this machine, or {@code "system call 4711"}. */
    public static String of(long number) {
        return NAMES.getOrDefault(number, "system call " + number);
    }
}
