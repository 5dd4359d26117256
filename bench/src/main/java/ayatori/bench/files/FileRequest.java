package ayatori.bench.files;

/**
 * Asked of the {@link FileServer}; the answer is the file's content, or nothing.
 *
 * @param name of the file, with its directory
 * @param content to be written; else empty
 */
record FileRequest(Operation operation, String name, Block content) {
    static FileRequest read(String name) {
        return new FileRequest(Operation.READ, name, Block.NONE);
    }

    static FileRequest write(String name, Block content) {
        return new FileRequest(Operation.WRITE, name, content);
    }

    static FileRequest forget() {
        return new FileRequest(Operation.FORGET, "", Block.NONE);
    }
}
