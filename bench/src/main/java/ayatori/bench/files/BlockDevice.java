package ayatori.bench.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Blocks on a real disk, in a file that is read and written past the page cache (O_DIRECT). Thread-safe. */
final class BlockDevice implements AutoCloseable {
    /** A power of two. */
    private static final int BLOCKS = 1024;
    /** Odd: neighbours by number are no neighbours on the disk. */
    private static final long STRIDE = 389;

    private static final int BLOCKS_A_WRITE = 64;

    private final FileChannel channel;
    private final ThreadLocal<ByteBuffer> buffers;

    private BlockDevice(FileChannel channel, int alignment) {
        this.channel = channel;
        buffers = ThreadLocal.withInitial(() -> aligned(Block.SIZE, alignment));
    }

    /** Makes the file, with zeroes in all of its blocks. */
    static BlockDevice create(Path file) throws IOException {
        FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE, direct());
        int alignment = (int) Files.getFileStore(file).getBlockSize();
        if (Block.SIZE % alignment != 0) {
            channel.close();
            throw new IOException("the file system of " + file + " reads and writes " + alignment
                    + " bytes at a time, more than a block of " + Block.SIZE + ": use another");
        }
        ByteBuffer zeroes = aligned(BLOCKS_A_WRITE * Block.SIZE, alignment);
        for (int block = 0; block < BLOCKS; block += BLOCKS_A_WRITE) {
            zeroes.rewind();
            transferred(channel.write(zeroes, (long) block * Block.SIZE), zeroes.capacity());
        }
        channel.force(true);
        return new BlockDevice(channel, alignment);
    }

    /** ExtendedOpenOption.DIRECT, by its name: javac warns of the JDK's own classes, and cannot be told that it is meant. */
    private static OpenOption direct() throws IOException {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option instanceof OpenOption direct && option.toString().equals("DIRECT")) {
                    return direct;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("this JDK cannot read past the page cache", e);
        }
        throw new IOException("this JDK cannot read past the page cache: no ExtendedOpenOption.DIRECT");
    }

    private static ByteBuffer aligned(int size, int alignment) {
        return ByteBuffer.allocateDirect(size + alignment - 1)
                .alignedSlice(alignment)
                .slice(0, size);
    }

    private static void transferred(int bytes, int wanted) throws IOException {
        if (bytes != wanted) {
            throw new IOException("the disk took or gave " + bytes + " bytes of " + wanted);
        }
    }

    private static long position(long number) {
        return number * STRIDE % BLOCKS * Block.SIZE;
    }

    Block read(long number) throws IOException {
        ByteBuffer buffer = buffers.get().clear();
        read(number, buffer);
        return new Block(ByteBuffer.allocate(Block.SIZE).put(buffer.flip()).flip());
    }

    /**
     * The same without a copy.
     *
     * @param into of a block's size, in memory of its own that begins with a page
     */
    void read(long number, ByteBuffer into) throws IOException {
        transferred(channel.read(into, position(number)), Block.SIZE);
    }

    void write(long number, Block content) throws IOException {
        ByteBuffer buffer = buffers.get().clear();
        write(number, buffer.put(content.bytes().duplicate()).flip());
    }

    /**
     * The same without a copy.
     *
     * @param content as in {@link #read(long, ByteBuffer)}
     */
    void write(long number, ByteBuffer content) throws IOException {
        transferred(channel.write(content, position(number)), Block.SIZE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
