package jpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a flight recording tells of ranks. */
class RecordingTest {
    private static final int LARGE = 1 << 17;

    @TempDir
    private Path folder;

    private List<RecordedEvent> record(Runnable program) throws Exception {
        Path file = folder.resolve("ranks.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("Send", "Receive", "Wait", "Collective")) {
                var _ = recording.enable("jpi." + event).withThreshold(Duration.ZERO);
            }
            recording.start();
            program.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file);
    }

    private static Set<String> messages(List<RecordedEvent> events, String kind) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("jpi." + kind))
                .map(event -> event.getInt("rank") + " with " + event.getInt("peer") + ", tag " + event.getInt("tag")
                        + ", bytes " + event.getLong("bytes") + ", priority " + event.getInt("priority") + ", "
                        + event.getString("communicator") + ", collective " + event.getBoolean("collective"))
                .collect(Collectors.toSet());
    }

    private static void program(JHandle handle) {
        JComm world = handle.COMM_WORLD;
        JComm turned = Objects.requireNonNull(world.split(0, -world.rank()));
        turned.setName("turned");
        if (world.rank() == 0) {
            world.send(new int[3], 1, 7);
            turned.priority(9).send("by reference", 0, 8);
        } else {
            world.recv(0, 7);
            turned.recv(JHandle.ANY_SOURCE, 8);
        }
        turned.bcast(JBuffer.of(new long[2]), 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesAndCollectivesAreRecorded(boolean virtual) throws Exception {
        List<RecordedEvent> events = record(() -> {
            if (virtual) {
                Ranks.runVirtual(2, RecordingTest::program);
            } else {
                Ranks.run(2, RecordingTest::program);
            }
        });
        Set<String> sent = messages(events, "Send");
        Set<String> received = messages(events, "Receive");
        assertTrue(
                sent.contains("0 with 1, tag 7, bytes 12, priority 5, COMM_WORLD, collective false"), sent::toString);
        assertTrue(sent.contains("0 with 1, tag 8, bytes -1, priority 9, turned, collective false"), sent::toString);
        assertTrue(sent.contains("0 with 1, tag 0, bytes 16, priority 5, turned, collective true"), sent::toString);
        Set<String> mirrored = sent.stream()
                .map(text -> text.charAt(7) + " with " + text.charAt(0) + text.substring(8))
                .collect(Collectors.toSet());
        assertEquals(mirrored, received, "each message is seen by both of its ranks");
        assertEquals(
                Set.of(
                        "0: bcast of 2 in turned, root 1, number 0, bytes 16",
                        "1: bcast of 2 in turned, root 1, number 0, bytes 16"),
                events.stream()
                        .filter(event -> event.getEventType().getName().equals("jpi.Collective"))
                        .filter(event -> event.getString("communicator").equals("turned"))
                        .map(event -> event.getInt("rank") + ": " + event.getString("operation") + " of "
                                + event.getInt("ranks") + " in " + event.getString("communicator") + ", root "
                                + event.getInt("root") + ", number " + event.getInt("number") + ", bytes "
                                + event.getLong("bytes"))
                        .collect(Collectors.toSet()));
    }

    /** Each is one operation, whatever it is made of. */
    @Test
    void operationsBetweenGroupsAreRecorded() throws Exception {
        List<RecordedEvent> events = record(() -> Ranks.run(2, handle -> {
            JComm world = handle.COMM_WORLD;
            JComm alone = Objects.requireNonNull(world.split(world.rank(), 0));
            JIntercomm both = alone.createInter(0, world, 1 - world.rank(), 0);
            both.local().setName("mine");
            both.allgather(world.rank());
            both.ibcast("x", world.rank() == 0 ? JHandle.ROOT : 0).await();
        }));
        assertEquals(
                Set.of(
                        "0: allgather, root -1, number 1",
                        "1: allgather, root -1, number 1",
                        "0: bcast, root -4, number 2",
                        "1: bcast, root 0, number 2"),
                events.stream()
                        .filter(event -> event.getEventType().getName().equals("jpi.Collective"))
                        .filter(event -> event.getString("communicator").equals("mine"))
                        .map(event -> event.getInt("rank") + ": " + event.getString("operation") + ", root "
                                + event.getInt("root") + ", number " + event.getInt("number"))
                        .collect(Collectors.toSet()));
    }

    @Test
    void theWaitForTheReceiverIsRecorded() throws Exception {
        List<RecordedEvent> events = record(() -> Ranks.runApart(2, 2, handle -> {
            JComm world = handle.COMM_WORLD;
            if (world.rank() == 0) {
                world.send(JBuffer.of(new double[LARGE]), 1, 4);
                world.recv(1, 5);
            } else {
                world.probe(0, 4); // it is there, and its sender waits until it is wanted
                world.recv(0, 4);
                world.send(null, 0, 5);
            }
        }));
        List<RecordedEvent> waits = events.stream()
                .filter(event -> event.getEventType().getName().equals("jpi.Wait"))
                .filter(event -> event.getInt("rank") == 0)
                .toList();
        assertEquals(1, waits.size(), events::toString);
        RecordedEvent wait = waits.getFirst();
        assertEquals("until rank 1 takes its message, tag 4", wait.getString("what"));
        assertEquals(List.of(1, 4), List.of(wait.getInt("peer"), wait.getInt("tag")));
    }
}
