package ayatori.bench.files;

/** What is asked of a server. */
enum Operation {
    READ,
    WRITE,
    /** Forget what has been read or written: the next read comes from the disk. */
    FORGET
}
