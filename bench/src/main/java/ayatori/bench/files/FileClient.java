package ayatori.bench.files;

import java.util.concurrent.ExecutionException;

/** A thread that reads and writes files. */
interface FileClient extends AutoCloseable {
    /** A file's content, which is there until this client asks for something else. */
    Block read(String name) throws InterruptedException, ExecutionException;

    /** Writes a file. */
    void write(String name, Block content) throws InterruptedException, ExecutionException;

    /** Has the cache emptied: the next read comes from the disk. */
    void forget() throws InterruptedException, ExecutionException;

    @Override
    void close();
}
