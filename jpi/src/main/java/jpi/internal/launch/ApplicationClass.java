package jpi.internal.launch;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Objects;
import jpi.JApplication;
import jpi.JException;

/** The user's class, of which each rank makes an instance. */
final class ApplicationClass {
    private final Constructor<? extends JApplication> constructor;

    private ApplicationClass(Constructor<? extends JApplication> constructor) {
        this.constructor = constructor;
    }

    /**
     * Finds it.
     *
     * @throws UserMistake if there is none of that name, or ranks cannot make one
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
        if (!JApplication.class.isAssignableFrom(found)) {
            throw new UserMistake(found + " is no program of JPI: let it extend jpi.JApplication");
        }
        if (Modifier.isAbstract(found.getModifiers())) {
            throw new UserMistake(found + " is abstract: name a class that extends it");
        }
        try {
            Constructor<? extends JApplication> constructor =
                    found.asSubclass(JApplication.class).getDeclaredConstructor();
            constructor.setAccessible(true);
            return new ApplicationClass(constructor);
        } catch (NoSuchMethodException e) {
            throw new UserMistake(found + " has no constructor without parameters: give it one"
                    + (found.getEnclosingClass() == null ? "" : ", and make it static"));
        } catch (InaccessibleObjectException e) {
            throw new UserMistake(found + " is in a module that keeps it to itself: let that open the package to jpi");
        } catch (LinkageError e) {
            throw new UserMistake("the class " + name + " lacks another one (" + e + "): say with -cp where that is");
        }
    }

    /** Itself. */
    Class<?> type() {
        return constructor.getDeclaringClass();
    }

    /**
     * Makes one for the rank that the calling thread is.
     *
     * @throws JException if the constructor throws something
     */
    JApplication create() {
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
