/** Races inside endpoints; in their package, since they look at what users cannot see. */
package ayatori.server;
