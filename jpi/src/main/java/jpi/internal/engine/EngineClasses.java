package jpi.internal.engine;

import ayatori.internal.inheritance.Inheritance;
import ayatori.internal.linux.Futex;
import ayatori.sched.LinuxThread;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jpi.JComm;
import jpi.internal.objects.ObjectCodec;
import jpi.internal.shm.SharedWord;

/**
 * The classes with which ranks send and receive. Who loads a class holds monitors, of the loader and of the jar, and monitors lend no
 * priority: a low rank that had lost its CPU over it would hold up a high one that needs another class, for as long as a middle one
 * computes. So where priorities are in force all these are there before a rank begins.
 */
public final class EngineClasses {
    /** One of each package. */
    private static final List<Class<?>> ONES = List.of(
            JComm.class,
            World.class,
            SharedWord.class,
            ObjectCodec.class,
            Inheritance.class,
            LinuxThread.class,
            Futex.class);

    private static final String SUFFIX = ".class";

    private EngineClasses() {}

    /** Loads them, from jars; developers may have them in folders, where a jar's monitor is not held. */
    public static void load() throws IOException {
        Set<String> packages = ONES.stream().map(Class::getPackageName).collect(Collectors.toSet());
        for (Path jar : ONES.stream().map(EngineClasses::place).collect(Collectors.toSet())) {
            if (Files.isRegularFile(jar)) {
                load(jar, packages);
            }
        }
    }

    private static Path place(Class<?> one) {
        try {
            return Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(one + " comes from no file", e);
        }
    }

    /** They are initialised when they are used: those for flight recordings would set up the recorder. */
    private static void load(Path jar, Set<String> packages) throws IOException {
        try (JarFile file = new JarFile(jar.toFile());
                Stream<JarEntry> entries = file.stream()) {
            List<String> names = entries.map(entry -> entry.getName().replace('/', '.'))
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .filter(name -> packages.contains(name.substring(0, Math.max(0, name.lastIndexOf('.')))))
                    .toList();
            for (String name : names) {
                Class.forName(name, false, EngineClasses.class.getClassLoader());
            }
        } catch (ClassNotFoundException e) {
            throw new IOException(jar + " is not what it was: " + e, e);
        }
    }
}
