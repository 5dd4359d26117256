package mpi;

/** A version of MPI. */
public final class Version {
    private final int version;
    private final int subVersion;

    Version(int version, int subVersion) {
        this.version = version;
        this.subVersion = subVersion;
    }

    /** What is before the point. */
    public int getVersion() {
        return version;
    }

    /** What is behind it. */
    public int getSubVersion() {
        return subVersion;
    }
}
