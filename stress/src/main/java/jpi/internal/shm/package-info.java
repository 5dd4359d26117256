/** Races in the memory between JVMs, here those of two threads of one. */
package jpi.internal.shm;
