/** Races of messages and receives; in their package, since they look at what programs cannot see. */
package jpi.internal.engine;
