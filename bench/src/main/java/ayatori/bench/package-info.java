/**
 * What {@code bench/run} measures: drivers that start pairs of JVMs, with the agent and without or with another option of
 * it, and print both sides and their ratio. The programs in those JVMs are in src/main/java17.
 */
@NullMarked
package ayatori.bench;

import org.jspecify.annotations.NullMarked;
