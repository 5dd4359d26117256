package ayatori.server;

import ayatori.sched.LinuxThread;
import ayatori.sched.SchedulingParameters;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A client in a process of its own. {@code SharedClientProcess PATH PRIORITY NUMBER}: asks NUMBER at this Java priority, waits, and
 * prints {@code answer A, lent N}: the area's first number, and to how many requests it has lent its own priority. Or, if it may not
 * connect, the exception. Property: {@code realTime}, a value of the calling thread.
 */
final class SharedClientProcess {
    private SharedClientProcess() {}

    @SuppressWarnings("ThreadPriorityCheck") // it is what a request carries
    public static void main(String[] arguments) throws Exception {
        try (SharedEndpoint server = SharedEndpoint.connect(Path.of(arguments[0]))) {
            Thread.currentThread().setPriority(Integer.parseInt(arguments[1]));
            int realTime = Integer.getInteger("realTime", 0);
            if (realTime > 0) {
                LinuxThread.current().set(SchedulingParameters.roundRobin(realTime));
            }
            Area area = server.allocate(64);
            area.segment().set(ValueLayout.JAVA_INT, 0, Integer.parseInt(arguments[2]));
            Area answer = server.call(area);
            System.out.println("answer " + answer.segment().get(ValueLayout.JAVA_INT, 0) + ", lent "
                    + server.statistics().lends());
        } catch (IOException e) {
            System.out.println(e.getClass().getName());
        }
    }
}
