package jpi.internal.objects;

import java.io.FileDescriptor;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.Reader;
import java.io.Serializable;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.SerializedLambda;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.stream.BaseStream;
import java.util.zip.ZipFile;
import jpi.JException;
import org.apache.fory.resolver.DisallowedList;
import org.jspecify.annotations.Nullable;

/**
 * Which types may travel between JVMs, by name, the same for each {@link Serialisation} and for both directions:
 *
 * <ol>
 *   <li>values, collections and exceptions of the JDK: the list in {@link JdkTypes}; and JPI's own values;
 *   <li>the application's own: classes that lie where its main class lies, in the same jar, directory or module, and come from
 *       the same class loader. What a user sends is nearly always that, so it needs no ceremony; libraries beside it on the class
 *       path, where the classes that attackers use come from, are no part of it;
 *   <li>what the user names, with {@value #PROPERTY}.
 * </ol>
 *
 * <p>The workers of a program are one user's and meet in a file that only this user can open: so the list is the second wall, for
 * the day when bytes come from elsewhere. Some types are refused whoever allows them, since they mean nothing elsewhere (open
 * files, threads, locks, memory) or name code rather than data (lambdas, proxies).
 */
public final class AllowedTypes {
    /** System property: names of further classes ({@code com.acme.Cell}) and packages ({@code com.acme.*}), separated by commas. */
    public static final String PROPERTY = "jpi.allow";

    private static final List<Class<?>> BOUND_TO_ITS_JVM = List.of(
            InputStream.class,
            OutputStream.class,
            Reader.class,
            Writer.class,
            RandomAccessFile.class,
            FileDescriptor.class,
            ZipFile.class,
            Channel.class,
            Selector.class,
            SelectionKey.class,
            Socket.class,
            ServerSocket.class,
            DatagramSocket.class,
            Process.class,
            ProcessBuilder.class,
            Thread.class,
            ThreadGroup.class,
            ThreadLocal.class,
            Executor.class,
            Future.class,
            Lock.class,
            ReadWriteLock.class,
            BlockingQueue.class,
            BaseStream.class,
            Reference.class,
            ClassLoader.class,
            Module.class,
            MethodHandle.class,
            VarHandle.class,
            MemorySegment.class,
            Arena.class,
            Path.class);

    private static final String BOUND = "which means nothing in another JVM: make it transient or send what it holds";
    private static final String CODE =
            "which is code and has no meaning in another JVM: send a record or an enum constant that says what to do";

    private final @Nullable ClassLoader loader;
    private final @Nullable URL origin;
    private final Set<String> named = new HashSet<>();

    /**
     * Those of a program.
     *
     * @param application the class that the ranks run
     * @param more what else may travel, as in {@link #PROPERTY}; may be empty
     */
    public AllowedTypes(Class<?> application, String more) {
        loader = application.getClassLoader();
        origin = originOf(application);
        for (String name : more.split(",", -1)) {
            if (!name.isBlank()) {
                named.add(checked(name.strip()));
            }
        }
    }

    private static String checked(String name) {
        String type = name.endsWith(".*") ? name.substring(0, name.length() - 2) : name;
        for (String part : type.split("\\.", -1)) {
            if (part.isEmpty() || !part.chars().allMatch(Character::isJavaIdentifierPart)) {
                throw new JException("\"" + name + "\" in " + PROPERTY
                        + " is neither a class nor a package: write com.acme.Cell or com.acme.*");
            }
        }
        return name;
    }

    private static @Nullable URL originOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? null : source.getLocation();
    }

    /** The application's class loader, which knows all that may travel. */
    @Nullable
    ClassLoader loader() {
        return loader;
    }

    /**
     * What there is to say against a type of that name, before any code of it has run.
     *
     * @param name as {@link Class#getName} has it
     * @return null if it may travel; or the end of a sentence that starts with the name
     */
    @Nullable
    String objection(String name) {
        String element = elementOf(name);
        if (element.isEmpty() || JdkTypes.contains(element)) {
            return null;
        }
        if (element.indexOf('/') >= 0) {
            return CODE; // so a hidden class is named, which none can find
        }
        try {
            return objection(Class.forName(element, false, loader));
        } catch (ClassNotFoundException | LinkageError e) {
            return "which is not on this worker's class path: start all workers with the same one";
        }
    }

    /** What there is to say against a class; null if it may travel. */
    @Nullable
    String objection(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        String name = element.getName();
        if (element.isPrimitive() || JdkTypes.contains(name)) {
            return null;
        }
        if (element.isHidden() || Proxy.isProxyClass(element) || element == SerializedLambda.class) {
            return CODE;
        }
        for (Class<?> bound : BOUND_TO_ITS_JVM) {
            if (bound.isAssignableFrom(element)) {
                return BOUND;
            }
        }
        if (isOfJpi(element)) {
            return Serializable.class.isAssignableFrom(element) ? null : BOUND;
        }
        if (DisallowedList.contains(name)) {
            return "which is known from attacks and never travels: send what it holds";
        }
        if (isOfApplication(element) || isNamed(name)) {
            return null;
        }
        return "which is neither the application's nor among the JDK's types that may travel: make it transient or start JRun"
                + " with -J-D" + PROPERTY + "=" + name;
    }

    private boolean isOfApplication(Class<?> type) {
        return loader != null
                && type.getClassLoader() == loader
                && Objects.equals(asText(originOf(type)), asText(origin));
    }

    /** URLs themselves ask the network when they are compared. */
    private static @Nullable String asText(@Nullable URL url) {
        return url == null ? null : url.toString();
    }

    /** If it is what the program sees of JPI: values are serialisable, and other things belong to a rank. */
    private static boolean isOfJpi(Class<?> type) {
        return type.getPackage() == JException.class.getPackage()
                && Objects.equals(asText(originOf(type)), asText(originOf(JException.class)));
    }

    private boolean isNamed(String name) {
        if (named.isEmpty()) {
            return false;
        }
        int nested = name.indexOf('$');
        if (named.contains(name) || (nested > 0 && named.contains(name.substring(0, nested)))) {
            return true;
        }
        for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            if (named.contains(name.substring(0, dot) + ".*")) {
                return true;
            }
        }
        return false;
    }

    /** Name of what an array is made of in the end, empty for primitive types; the name itself if it is no array. */
    private static String elementOf(String name) {
        int dimensions = 0;
        while (dimensions < name.length() && name.charAt(dimensions) == '[') {
            dimensions++;
        }
        if (dimensions == 0) {
            return name;
        }
        boolean ofObjects = name.startsWith("L", dimensions) && name.endsWith(";");
        return ofObjects ? name.substring(dimensions + 1, name.length() - 1) : "";
    }
}
