package jpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.text.SimpleDateFormat;
import java.util.List;
import jpi.JApplication;
import jpi.JException;
import jpi.internal.launch.StartedRun.Result;
import org.junit.jupiter.api.Test;

/** Objects between two JVMs by Java serialisation, which is chosen with -serial. */
class SerialisationIT extends JRunCase {
    /** Travels as it says itself. */
    static final class Cell implements Serializable {
        private static final long serialVersionUID = 1;

        private transient int value;

        Cell(int value) {
            this.value = value;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(~value);
        }

        private void readObject(ObjectInputStream in) throws IOException {
            value = ~in.readInt();
        }
    }

    /** Has never heard of Java serialisation. */
    record Plain(int value) {}

    /** Rank 0 sends each of some objects, and says why it could not; rank 1 says what has come. */
    static final class Gives extends JApplication {
        @Override
        public void Jmain(String[] args) {
            if (JPI.COMM_WORLD.rank() == 0) {
                for (Object one : List.of(new Plain(1), new SimpleDateFormat("yyyy"), List.of(new Cell(7)))) {
                    try {
                        JPI.COMM_WORLD.send(one, 1, 0);
                    } catch (JException e) {
                        System.out.println(e.getMessage());
                    }
                }
            } else {
                List<?> cells = JPI.COMM_WORLD.recv(List.class, 0, 0);
                System.out.println("received " + ((Cell) cells.getFirst()).value);
            }
        }
    }

    @Test
    void javasOwnTakesSerializableClassesThatAreAllowed() throws Exception {
        Result result = run("-np", "2", "-serial", "java", name(Gives.class));
        assertEquals("", result.err());
        assertEquals(0, result.exit());
        String plain = Plain.class.getTypeName();
        assertEquals(
                List.of(
                        "cannot send a java.text.SimpleDateFormat: it is a java.text.SimpleDateFormat, which is neither"
                                + " the application's nor among the JDK's types that may travel: make it transient or"
                                + " start JRun with -J-Djpi.allow=java.text.SimpleDateFormat",
                        "cannot send a " + plain + ": it is a " + plain
                                + ", which does not implement java.io.Serializable: let it, make it transient, or start"
                                + " JRun without -serial java",
                        "received 7"),
                result.lines());
    }

    @Test
    void whatNamesNothingThatMayTravelIsToldInOneSentence() throws Exception {
        assertFailure(
                run("-np", "2", "-J-Djpi.allow=*", name(Gives.class)),
                2,
                "\"*\" in jpi.allow is neither a class nor a package: write com.acme.Cell or com.acme.*");
    }
}
