package jpi.internal.objects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.StringTokenizer;
import java.util.TimeZone;
import java.util.Timer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import jpi.JException;
import jpi.internal.objects.Samples.Five;
import jpi.internal.objects.Samples.Mode;
import jpi.internal.objects.Samples.Pair;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bytes that name other types are refused where they arrive, whoever has made them, before code of these types has run. */
class AllowedTypesTest {
    private static final AllowedTypes ALLOWED = new AllowedTypes(Samples.class, "");

    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("nowhere", 1);

    /** A sender that keeps to no rule. */
    private static byte[] hostile(@Nullable Object object) {
        Fory fory = Fory.builder()
                .withXlang(false)
                .withCompatible(false)
                .withRefTracking(true)
                .requireClassRegistration(false)
                .withTypeChecker((_, _) -> true)
                .registerGuavaTypes(false)
                .build();
        MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(100);
        buffer.writeByte(Serialisation.FORY.mark());
        buffer.writeByte(ForyInstance.BY_FORY);
        fory.serialize(buffer, object);
        return buffer.getBytes(0, buffer.writerIndex());
    }

    /** A message that says of what class it is and is cut off then. */
    private static byte[] hostile(String name) {
        byte[] bytes = name.getBytes(UTF_8);
        MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(100);
        buffer.writeByte(Serialisation.FORY.mark());
        buffer.writeByte(ForyInstance.NAMED);
        buffer.writeInt16((short) bytes.length);
        buffer.writeBytes(bytes);
        return buffer.getBytes(0, buffer.writerIndex());
    }

    private static byte[] hostileJava(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(Serialisation.JAVA.mark());
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            stream.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static String refusal(Serialisation serialisation, byte[] bytes) {
        ObjectCodec codec = new ObjectCodec(ALLOWED, serialisation);
        return requireNonNull(assertThrows(JException.class, () -> codec.decode(bytes, 0, bytes.length))
                .getMessage());
    }

    static final class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            throw new AssertionError("foreign code has run");
        }
    }

    private static List<Object> foreign() throws Exception {
        PriorityQueue<String> gadget = new PriorityQueue<>((Comparator<String> & Serializable) (_, _) -> 0);
        gadget.add("a");
        Object proxy = Proxy.newProxyInstance(
                AllowedTypesTest.class.getClassLoader(), new Class<?>[] {Comparator.class}, new Handler());
        return List.of(
                ADDRESS,
                TimeZone.getTimeZone("Europe/Vienna"),
                (Runnable & Serializable) () -> {},
                proxy,
                gadget,
                new InetSocketAddress[] {ADDRESS},
                new Pair<>(1, new ArrayList<>(List.of(ADDRESS))));
    }

    @Test
    void foreignTypesAreRefusedFory() throws Exception {
        for (Object object : foreign()) {
            String said = refusal(Serialisation.FORY, hostile(object));
            assertTrue(said.startsWith("cannot receive a "), said);
            assertTrue(said.contains("start JRun with -J-Djpi.allow=") || said.contains("is code"), said);
        }
        assertTrue(refusal(Serialisation.FORY, hostile(ADDRESS)).contains("java.net.InetSocketAddress"));
    }

    @Test
    void lambdasAreRefusedThoughForyKnowsThem() {
        String said = refusal(Serialisation.FORY, hostile((Runnable & Serializable) () -> {}));
        assertTrue(said.contains("is code"), said);
        assertTrue(refusal(Serialisation.FORY, hostile(new Object[] {(Runnable & Serializable) () -> {}}))
                .contains("is code"));
    }

    @Test
    void foreignNamesAreRefused() {
        for (Class<?> foreign : List.of(InetSocketAddress.class, Timer.class)) {
            String said = refusal(Serialisation.FORY, hostile(foreign.getName()));
            assertTrue(said.startsWith("cannot receive a " + foreign.getName()), said);
        }
        assertTrue(refusal(Serialisation.FORY, hostile("no.such.Class")).contains("not on this worker's class path"));
        // These may travel, but not so.
        for (Class<?> other : List.of(Mode.class, Five[].class, String.class)) {
            assertTrue(refusal(Serialisation.FORY, hostile(other.getName())).contains("does not travel so"));
        }
    }

    @Test
    void whatIsCutOffIsRefused() {
        ObjectCodec codec = new ObjectCodec(ALLOWED, Serialisation.FORY);
        for (Object whole : List.of(new Five(1, 2, 3, "four", Mode.DOUBLED), new Pair<>("a", List.of("b")))) {
            byte[] bytes = Samples.encode(codec, whole);
            for (int length = 1; length < bytes.length; length++) {
                String said = refusal(Serialisation.FORY, Arrays.copyOf(bytes, length));
                assertTrue(said.startsWith("cannot receive a "), said);
            }
        }
    }

    @Test
    void classesAreRefusedAsValuesToo() {
        assertTrue(refusal(Serialisation.FORY, hostile(Timer.class)).contains("java.util.Timer"));
        assertTrue(refusal(Serialisation.FORY, hostile(Timer[][].class)).contains("java.util.Timer"));
        assertTrue(refusal(Serialisation.FORY, hostile(ForkJoinPool.class)).contains("means nothing in another JVM"));
    }

    @Test
    void typesOfEmptyFieldsStayRefused() {
        ObjectCodec codec = new ObjectCodec(ALLOWED, Serialisation.FORY);
        Samples.encode(codec, new Samples.Text());
        for (Object object : List.of(Timer.class, new Object[] {Timer.class})) {
            byte[] bytes = hostile(object);
            assertThrows(JException.class, () -> codec.decode(bytes, 0, bytes.length));
            Samples.encode(codec, new Samples.Text()); // by the next instance
        }
    }

    @Test
    void foreignTypesAreRefusedJava() throws Exception {
        for (Object object : foreign()) {
            if (object instanceof Serializable) {
                String said = refusal(Serialisation.JAVA, hostileJava(object));
                assertTrue(said.startsWith("cannot receive a "), said);
            }
        }
        assertTrue(refusal(Serialisation.JAVA, hostileJava(new ReentrantLock())).contains("means nothing"));
        List<Object> hidden = new ArrayList<>(List.of(1, TimeZone.getTimeZone("Europe/Vienna")));
        assertTrue(refusal(Serialisation.JAVA, hostileJava(hidden)).contains("sun.util.calendar.ZoneInfo"));
    }

    @Test
    void theApplicationsOwnTypesAreAllowed() {
        assertNull(ALLOWED.objection(Five.class.getName()));
        assertNull(ALLOWED.objection(Mode.class.getName() + "$1"));
        assertNull(ALLOWED.objection("[[L" + Five.class.getName() + ";"));
        assertNull(ALLOWED.objection("[[I"));
        assertNull(ALLOWED.objection(BitSet.class));
    }

    @Test
    void librariesBesideTheApplicationAreNot() {
        String said = requireNonNull(ALLOWED.objection(Fory.class));
        assertTrue(said.endsWith("-J-Djpi.allow=org.apache.fory.Fory"), said);
        assertTrue(requireNonNull(ALLOWED.objection("no.such.Type")).contains("class path"));
    }

    @Test
    void othersAreAllowedByName() {
        AllowedTypes more = new AllowedTypes(Samples.class, "org.apache.fory.* , java.util.StringTokenizer");
        assertNull(more.objection(Fory.class));
        assertNull(more.objection("org.apache.fory.config.ForyBuilder"));
        assertNull(more.objection(StringTokenizer.class));
        assertTrue(requireNonNull(more.objection(Timer.class)).contains("jpi.allow"));
        assertTrue(requireNonNull(more.objection("org.junit.jupiter.api.Test")).contains("jpi.allow"));
    }

    @Test
    void whatMeansNothingElsewhereIsNeverAllowed() {
        AllowedTypes more = new AllowedTypes(Samples.class, "java.lang.*,java.io.*");
        assertTrue(requireNonNull(more.objection(Thread.class)).contains("means nothing"));
        assertTrue(requireNonNull(more.objection("java.io.FileInputStream")).contains("means nothing"));
        assertTrue(requireNonNull(more.objection("java.lang.Runtime")).contains("known from attacks"));
        for (String known : List.of(
                "javax.naming.InitialContext",
                "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
                "java.beans.EventHandler",
                "java.rmi.server.UnicastRemoteObject",
                "java.util.ServiceLoader")) {
            assertNotNull(ALLOWED.objection(known), known);
        }
    }

    @Test
    void aMistakeInTheListIsRefused() {
        for (String wrong : List.of("*", "com..acme", "com.acme.", "com/acme", ".*", "a b")) {
            String said = assertThrows(JException.class, () -> new AllowedTypes(Samples.class, wrong))
                    .getMessage();
            assertTrue(requireNonNull(said).startsWith("\"" + wrong + "\" in jpi.allow"), said);
        }
        assertEquals(ALLOWED.objection(Timer.class), new AllowedTypes(Samples.class, " , ").objection(Timer.class));
        assertNull(ALLOWED.objection(ConcurrentLinkedQueue.class));
    }
}
