import org.jspecify.annotations.NullMarked;

/** Programs written for Open MPI's Java bindings, on JPI: their package, {@code mpi}, whose classes pass every call on to {@link jpi}. */
@NullMarked
module jpi.openmpi {
    requires transitive jpi;
    requires static transitive org.jspecify; // says of parameters if they may be null

    exports mpi;
}
