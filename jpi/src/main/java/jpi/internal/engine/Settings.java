package jpi.internal.engine;

/**
 * What the user has chosen for a run.
 *
 * @param virtual ranks are virtual threads
 * @param checking collective calls are compared
 * @param statistics a table is wanted at the end
 * @param crowded more ranks than CPUs; the same on all, since they choose what they do together by it
 */
public record Settings(boolean virtual, boolean checking, boolean statistics, boolean crowded) {}
