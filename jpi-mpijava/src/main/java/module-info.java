import org.jspecify.annotations.NullMarked;

/** Programs written for mpiJava 1.2 or MPJ Express, on JPI: their package, {@code mpi}, whose classes pass every call on to {@link jpi}. */
@NullMarked
module jpi.mpijava {
    requires transitive jpi;
    requires static transitive org.jspecify; // says of parameters if they may be null

    exports mpi;
}
