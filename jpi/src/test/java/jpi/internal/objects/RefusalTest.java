package jpi.internal.objects;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Scanner;
import java.util.Timer;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import jpi.JBuffer;
import jpi.JException;
import jpi.internal.objects.Samples.Job;
import jpi.internal.objects.Samples.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What may not travel is refused where it is sent, in one sentence that says which field of what. */
class RefusalTest {
    private static final ObjectCodec CODEC = new ObjectCodec(new AllowedTypes(Samples.class, ""), Serialisation.FORY);

    private static String refusal(Object object) {
        return refusal(CODEC, object);
    }

    private static String refusal(ObjectCodec codec, Object object) {
        return requireNonNull(assertThrows(JException.class, () -> Samples.encode(codec, object))
                .getMessage());
    }

    /** The application's, and yet an open file. */
    static final class OwnStream extends FilterInputStream {
        OwnStream(InputStream in) {
            super(in);
        }
    }

    static final class NotJavas {
        int number;
    }

    record Kept(int number, NotJavas notJavas) implements Serializable {
        private static final long serialVersionUID = 1;
    }

    @Test
    void theFieldIsNamed() {
        Job job = new Job();
        job.input.log = new ByteArrayInputStream(new byte[3]);
        assertEquals(
                "cannot send a jpi.internal.objects.Samples$Job: field Job.input.log is a java.io.ByteArrayInputStream,"
                        + " which means nothing in another JVM: make it transient or send what it holds",
                refusal(job));
    }

    @Test
    void insideOfCollectionsToo() {
        Job job = new Job();
        job.parts.add("good");
        job.parts.add(new Object[] {1, new OwnStream(InputStream.nullInputStream())});
        assertTrue(refusal(job).contains("field Job.parts[1][1] is a " + OwnStream.class.getTypeName()), refusal(job));
        job.parts.clear();
        job.named.put("k", Thread.currentThread());
        assertTrue(
                refusal(job).contains("field Job.named[k] is a java.lang.Thread, which means nothing"), refusal(job));
    }

    @Test
    void resourcesByThemselves() throws IOException {
        Pipe pipe = Pipe.open();
        try (var socket = new ServerSocket();
                var source = pipe.source();
                var sink = pipe.sink();
                var executor = Executors.newSingleThreadExecutor()) {
            for (Object resource : new Object[] {
                socket,
                source,
                sink,
                executor,
                System.out,
                InputStream.nullInputStream(),
                new ThreadLocal<String>(),
                new ReentrantLock(),
                new CompletableFuture<String>(),
                MemorySegment.ofArray(new int[1]),
                ClassLoader.getSystemClassLoader(),
                new ProcessBuilder("true"),
                Path.of("file"),
                new ArrayBlockingQueue<>(1000),
                JBuffer.of(new int[1])
            }) {
                assertTrue(refusal(resource)
                        .contains(": it is a " + resource.getClass().getTypeName() + ", which means"));
                assertTrue(refusal(new Pair<>(1, resource)).contains("field Pair.second is a "));
            }
        }
    }

    /** Whose seed is an AtomicLong, and goes as a long. */
    @Test
    void whatWritesFieldsOfOtherTypesIsForJavasSerialisation() {
        AllowedTypes named = new AllowedTypes(Samples.class, "java.util.Random");
        String said = refusal(new ObjectCodec(named, Serialisation.FORY), new Pair<>(1, new Random(5)));
        assertTrue(
                said.contains(": field Pair.second is a java.util.Random, which writes its fields as other types")
                        && said.endsWith("or start JRun with -serial java"),
                said);
        Random copy = (Random) requireNonNull(new ObjectCodec(named, Serialisation.JAVA).copy(new Random(5)));
        assertEquals(new Random(5).nextInt(), copy.nextInt());
    }

    /** Also where only its name is known. */
    @Test
    void codeIsNamedAsCode() {
        Runnable lambda = () -> {};
        assertEquals(
                new AllowedTypes(Samples.class, "").objection(lambda.getClass()),
                new AllowedTypes(Samples.class, "").objection(lambda.getClass().getName()));
    }

    @Test
    void codeIsNoMessage() {
        Runnable lambda = () -> {};
        Runnable serialisable = (Runnable & Serializable) () -> {};
        Object proxy =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (_, _, _) -> null);
        for (Object code : new Object[] {lambda, serialisable, proxy}) {
            assertTrue(refusal(code).contains("which is code"), refusal(code));
            assertTrue(refusal(new Pair<>(code, 1)).contains("field Pair.first is a "));
        }
        Comparator<String> comparator = (a, b) -> b.compareTo(a);
        assertTrue(refusal(new TreeMap<>(comparator)).contains("which is code"), refusal(new TreeMap<>(comparator)));
    }

    @Test
    void othersOfTheJdkMustBeAllowed() {
        Timer timer = new Timer(true);
        timer.cancel();
        assertTrue(refusal(new Pair<>(1, timer)).endsWith("start JRun with -J-Djpi.allow=java.util.Timer"));
        assertTrue(refusal(new Pair<>(1, Timer.class)).contains("field Pair.second is the class java.util.Timer"));
    }

    @Test
    void transientAndEmptyFieldsDoNoHarm() {
        Job job = new Job();
        job.input.scratch = InputStream.nullInputStream();
        byte[] bytes = Samples.encode(CODEC, job);
        Job back = (Job) requireNonNull(CODEC.decode(bytes, 0, bytes.length));
        assertNull(back.input.scratch);
        assertNull(back.input.log);
    }

    @Test
    void aRefusalLeavesNothingBehind() {
        Job job = new Job();
        Timer timer = new Timer(true);
        timer.cancel();
        for (int i = 0; i < 3; i++) {
            job.input.anything = timer;
            assertTrue(refusal(job).contains("field Job.input.anything is a java.util.Timer"), refusal(job));
            job.input.anything = "a b";
            Samples.encode(CODEC, job);
        }
        byte[] bytes = Samples.encode(CODEC, job);
        assertEquals(job.parts, ((Job) requireNonNull(CODEC.decode(bytes, 0, bytes.length))).parts);
    }

    @Test
    void fieldsOfRefusedTypesMayBeEmpty() {
        Samples.Text text = new Samples.Text();
        byte[] bytes = Samples.encode(CODEC, text);
        assertNull(((Samples.Text) requireNonNull(CODEC.decode(bytes, 0, bytes.length))).socket);
        text.writer = Thread.currentThread();
        assertTrue(refusal(text).contains("field Text.writer is a java.lang.Thread, which means"), refusal(text));
        text.writer = null;
        text.words = new Scanner("a b");
        assertTrue(refusal(text).contains("field Text.words is a java.util.Scanner, which is neither"), refusal(text));
    }

    @Test
    void javaSerialisationNamesWhatDoesNotSupportIt() {
        ObjectCodec codec = new ObjectCodec(new AllowedTypes(Samples.class, ""), Serialisation.JAVA);
        String said = refusal(codec, new Kept(1, new NotJavas()));
        assertTrue(said.contains("field Kept.notJavas is a " + NotJavas.class.getTypeName()), said);
        assertTrue(said.contains("java.io.Serializable"), said);
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void bothRefuseLocks(Serialisation serialisation) {
        ObjectCodec codec = new ObjectCodec(new AllowedTypes(Samples.class, ""), serialisation);
        String said = refusal(codec, new Object[] {new ConcurrentHashMap<>(Map.of(1, 2)), new ReentrantLock()});
        assertTrue(said.contains("field Object[][1] is a java.util.concurrent.locks.ReentrantLock, which means"), said);
    }

    /** What Fory knows by itself travels, and so is not to blame. */
    @Test
    void whatTravelsIsNotNamed() {
        for (Object good : List.of(
                ByteBuffer.allocate(1),
                ConcurrentHashMap.newKeySet(),
                Arrays.asList(1, 2, 3).subList(1, 2),
                new ArrayDeque<>(List.of(1)))) {
            Samples.encode(CODEC, good);
            String said = refusal(new Pair<>(good, Thread.currentThread()));
            assertTrue(said.contains("field Pair.second is a java.lang.Thread, which means"), said);
        }
    }

    /** Has no text, as an object of a program's may not have one. */
    record Wordless(int number) {
        @Override
        public String toString() {
            throw new IllegalStateException("no words");
        }
    }

    /** Whose contents nobody gets. */
    static final class Shut extends AbstractList<Object> {
        @Override
        public Object get(int index) {
            throw new IllegalStateException("is shut");
        }

        @Override
        public int size() {
            return 1;
        }
    }

    @Test
    void theProgramsOwnCodeMayFailWhileTheCulpritIsLookedFor() {
        String said = refusal(new TreeMap<>(Map.of(7, new HashMap<>(Map.of(new Wordless(7), Thread.currentThread())))));
        assertTrue(said.contains("field TreeMap[7][a Wordless] is a java.lang.Thread, which means"), said);
        said = refusal(new Pair<>(new Shut(), Thread.currentThread()));
        assertTrue(said.contains("field Pair.second is a java.lang.Thread, which means"), said);
    }

    @ParameterizedTest
    @EnumSource(Serialisation.class)
    void bothRefuseWhatIsNotAllowed(Serialisation serialisation) {
        ObjectCodec codec = new ObjectCodec(new AllowedTypes(Samples.class, ""), serialisation);
        Object[] array = {1, InetSocketAddress.createUnresolved("nowhere", 1)};
        assertTrue(
                refusal(codec, array).contains("field Object[][1] is a java.net.InetSocketAddress, which is neither"));
    }
}
