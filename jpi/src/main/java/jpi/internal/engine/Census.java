package jpi.internal.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the ranks of a worker do.
 *
 * @param blocked of each, in order: what it waits for, after the word "waits"; null: it works, or has ended
 * @param busy if a thread does something for one of them besides its own
 * @param sent messages that these ranks have sent
 * @param taken messages that they have taken
 */
public record Census(List<@Nullable String> blocked, boolean busy, long sent, long taken) {}
