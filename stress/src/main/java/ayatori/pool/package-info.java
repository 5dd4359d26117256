/** Races inside the pool; in its package, since they look at what users cannot see. */
package ayatori.pool;
