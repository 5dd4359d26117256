package mpi;

/** What is done about errors. Here they are exceptions always, and it is the program that decides. */
public final class Errhandler {
    Errhandler() {}
}
