package ayatori.server;

/**
 * What a client has counted of its connection.
 *
 * @param sends requests that have been sent
 * @param wakes how many times a server that slept was woken
 * @param wakesSkipped how many times that was not needed: the server was awake, or another request had just woken it
 * @param lends requests whose sender can lend its priority through the kernel
 * @param raises how many times the server was asked to raise itself
 * @param raisesSkipped how many times a server that raises itself needed not: it was high enough
 * @param abandoned requests that were given up and that the server has not given back yet
 * @param areaBytes bytes of areas in use, here or at the server
 * @param handedOverBytes bytes that have gone to the server and come back as contents of areas, without being copied: those that
 *     counted, {@link Area#length}. Not those of other processes' clients whose requests are forwarded
 */
public record SharedEndpointStatistics(
        long sends,
        long wakes,
        long wakesSkipped,
        long lends,
        long raises,
        long raisesSkipped,
        int abandoned,
        long areaBytes,
        long handedOverBytes) {}
