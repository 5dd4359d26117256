package ayatori.bench.files;

/** What is asked of a server. */
enum Operation {
    READ('r'),
    WRITE('w'),
    /** Forget what has been read or written: the next read comes from the disk. */
    FORGET('f');

    private final int code;

    Operation(int code) {
        this.code = code;
    }

    /** How it stands in memory that processes share. */
    int code() {
        return code;
    }

    static Operation of(int code) {
        for (Operation operation : values()) {
            if (operation.code == code) {
                return operation;
            }
        }
        throw new IllegalArgumentException("no operation has the code " + code);
    }
}
