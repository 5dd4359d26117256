package ayatori.bench.files;

import ayatori.server.Endpoint;
import ayatori.server.PriorityProtocol;

/** The three servers, in this process. */
final class FileService implements AutoCloseable {
    private final Endpoint<BlockRequest, Block> disk;
    private final Endpoint<BlockRequest, Block> blocks;
    private final Endpoint<FileRequest, Block> files;

    /**
     * Starts them, on the CPUs of the calling thread.
     *
     * @param blockThreads of the block server; the file server has one, since it waits for nobody
     * @param diskThreads of the disk server
     * @param ioPriorities if the disk server's follow the requests
     */
    FileService(
            PriorityProtocol protocol, BlockDevice device, int blockThreads, int diskThreads, boolean ioPriorities) {
        disk = endpoint("disk", protocol);
        blocks = endpoint("blocks", protocol);
        files = endpoint("files", protocol);
        disk.serve(diskThreads, new DiskServer(device, ioPriorities));
        blocks.serve(blockThreads, new BlockServer(disk));
        files.serve(1, new FileServer(blocks));
    }

    private static <Q> Endpoint<Q, Block> endpoint(String name, PriorityProtocol protocol) {
        return Endpoint.<Q, Block>builder().name(name).protocol(protocol).build();
    }

    /** Where applications call. */
    Endpoint<FileRequest, Block> files() {
        return files;
    }

    @Override
    public void close() {
        files.close();
        blocks.close();
        disk.close();
    }
}
