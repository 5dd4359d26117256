package ayatori.cli.top;

/**
 * What the user did.
 *
 * @param character for {@link Name#CHARACTER}
 */
record Key(Name name, char character) {
    /** A key, or something else that the screen has to follow. */
    enum Name {
        CHARACTER,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        ENTER,
        BACKSPACE,
        ESCAPE,
        /** The terminal has another size now. */
        RESIZED,
        /** The terminal is gone. */
        GONE
    }

    static Key of(Name name) {
        return new Key(name, '\0');
    }

    static Key of(char character) {
        return new Key(Name.CHARACTER, character);
    }
}
