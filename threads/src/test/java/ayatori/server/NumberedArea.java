package ayatori.server;

import java.lang.foreign.ValueLayout;

/** Requests and answers of tests that are a number. */
final class NumberedArea {
    private NumberedArea() {}

    /** With a number, to be handed over. */
    static Area area(SharedEndpoint client, int number) {
        Area area = client.allocate(64);
        area.segment().set(ValueLayout.JAVA_INT, 0, number);
        return area;
    }

    /** What has come with an area, which is closed. */
    static int number(Area area) {
        int number = area.segment().get(ValueLayout.JAVA_INT, 0);
        area.close();
        return number;
    }
}
