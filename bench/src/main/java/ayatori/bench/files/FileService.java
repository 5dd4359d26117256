package ayatori.bench.files;

import java.io.IOException;

/** The file service, from the side of applications. Thread-safe. */
interface FileService extends AutoCloseable {
    /** For the calling thread. */
    FileClient client();

    @Override
    void close() throws IOException;
}
