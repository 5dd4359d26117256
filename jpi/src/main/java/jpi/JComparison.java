package jpi;

/** How alike two groups or communicators are. */
public enum JComparison {
    /** The same communicator; of groups: the same ranks in the same order. */
    IDENTICAL,
    /** Different communicators of the same ranks in the same order. */
    CONGRUENT,
    /** The same ranks in another order. */
    SIMILAR,
    /** Not the same ranks. */
    UNEQUAL
}
