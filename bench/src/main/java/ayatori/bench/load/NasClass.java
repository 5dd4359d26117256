package ayatori.bench.load;

/** How large a problem of the NAS Parallel Benchmarks is: a sample, one for a workstation, and the smallest of the real ones. */
enum NasClass {
    S,
    W,
    A
}
