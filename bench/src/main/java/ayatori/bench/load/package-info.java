/** Programs that run in the measured JVM and need the library, so JDK 25 and later; the others are in src/main/java17. */
package ayatori.bench.load;
