/**
 * The paper's file service (section 3.2), and the programs that read and copy files through it: a server for files, one for
 * blocks and one for the disk. A server knows the next one by its endpoint only.
 */
@NullMarked
package ayatori.bench.files;

import org.jspecify.annotations.NullMarked;
