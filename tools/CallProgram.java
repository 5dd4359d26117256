import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * A rank of a test program of MPJ Express, {@code CallProgram CLASS ARGUMENT...}, called as that project's own TestSuite calls
 * it: by its constructor. Their {@code main} does the same, but forgets the exception, or does nothing. Run by tools/mpi-suites.
 */
final class CallProgram {
    public static void main(String[] arguments) throws Throwable {
        try {
            call(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void call(String[] arguments) throws ReflectiveOperationException {
        Class<?> program = Class.forName(arguments[0]);
        Object rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        for (Constructor<?> constructor : program.getDeclaredConstructors()) {
            if (Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {String[].class})) {
                constructor.setAccessible(true);
                constructor.newInstance(rest);
                return;
            }
        }
        var main = program.getMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, rest);
    }
}
