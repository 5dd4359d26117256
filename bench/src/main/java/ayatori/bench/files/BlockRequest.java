package ayatori.bench.files;

/**
 * Asked of the {@link BlockServer}, and by that of the {@link DiskServer}; the answer is the block's content, or nothing.
 *
 * @param number of the block
 * @param content to be written; else empty
 */
record BlockRequest(Operation operation, long number, Block content) {}
