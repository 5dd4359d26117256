package jpi.internal.launch;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import jpi.JApplication;
import jpi.JException;

/** The user's class: of a {@link JApplication} each rank makes an instance, of any other it calls main. */
abstract class ApplicationClass {
    private final Class<?> type;

    private ApplicationClass(Class<?> type) {
        this.type = type;
    }

    /**
     * Finds it.
     *
     * @throws UserMistake if there is none of that name, or ranks cannot run it
     */
    static ApplicationClass find(String name) {
        Class<?> found;
        try {
            found = Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException e) {
            throw new UserMistake(
                    "there is no class " + name + ": write its name with the package, and say with -cp where it is");
        } catch (LinkageError e) { // a name in the wrong case, or a file for another version
            throw new UserMistake("the class " + name + " cannot be loaded (" + e + "): compile it for this JVM");
        }
        try {
            return JApplication.class.isAssignableFrom(found)
                    ? new WithJmain(found.asSubclass(JApplication.class))
                    : new WithMain(found);
        } catch (InaccessibleObjectException e) {
            throw new UserMistake(found + " is in a module that keeps it to itself: let that open the package to jpi");
        } catch (LinkageError e) {
            throw new UserMistake("the class " + name + " lacks another one (" + e + "): say with -cp where that is");
        }
    }

    /** Itself. */
    Class<?> type() {
        return type;
    }

    /**
     * Does what the rank that the calling thread is has to do.
     *
     * @throws JException if the constructor throws something, or main something checked
     */
    abstract void run(String[] arguments);

    /** One in the paper's manner. */
    private static final class WithJmain extends ApplicationClass {
        private final Constructor<? extends JApplication> constructor;

        WithJmain(Class<? extends JApplication> type) {
            super(type);
            if (Modifier.isAbstract(type.getModifiers())) {
                throw new UserMistake(type + " is abstract: name a class that extends it");
            }
            try {
                constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
            } catch (NoSuchMethodException e) {
                throw new UserMistake(type + " has no constructor without parameters: give it one"
                        + (type.getEnclosingClass() == null ? "" : ", and make it static"));
            }
        }

        @Override
        void run(String[] arguments) {
            create().Jmain(arguments);
        }

        private JApplication create() {
            try {
                return constructor.newInstance();
            } catch (InvocationTargetException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                throw new JException("the constructor of " + constructor.getName() + " threw " + cause, cause);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("it is neither abstract nor out of reach", e);
            }
        }
    }

    /** One as the JVM itself would run it. */
    private static final class WithMain extends ApplicationClass {
        private final Method main;

        WithMain(Class<?> type) {
            super(type);
            try {
                main = type.getMethod("main", String[].class);
                if (!Modifier.isStatic(main.getModifiers())) {
                    throw new UserMistake(type + " has a main that is not static: make it so");
                }
                main.setAccessible(true);
            } catch (NoSuchMethodException e) {
                throw new UserMistake(type + " is no program of JPI: let it extend jpi.JApplication, or give it a"
                        + " public static void main(String[])");
            }
        }

        @Override
        void run(String[] arguments) {
            try {
                main.invoke(null, (Object) arguments);
            } catch (InvocationTargetException e) {
                Throwable cause = Objects.requireNonNull(e.getCause());
                switch (cause) {
                    case RuntimeException unchecked -> throw unchecked;
                    case Error error -> throw error;
                    default -> throw new JException("main of " + type().getName() + " threw " + cause, cause);
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("it is within reach", e);
            }
        }
    }
}
