/**
 * What the product asks of the Linux kernel, one class per subject. Every foreign call of the product is made here and
 * nowhere else: javac's lint for restricted methods and an ArchUnit rule hold that true.
 *
 * <p>Conventions, which are the kernel's own:
 *
 * <ul>
 *   <li>a method that returns a number returns {@code -errno} when the kernel refuses, as a system call does before the C
 *       library rewrites it: {@code if (Futex.wake(...) < 0)}; {@link ayatori.internal.linux.Errno#name} names it;
 *   <li>a method that returns an object throws {@link ayatori.internal.linux.KernelException} with the error;
 *   <li>calls go through syscall(2), so that a number here is the number in the kernel's table, and neither the version
 *       nor the make of the C library matters. x86_64 and aarch64 are known;
 *   <li>memory lives as long as the {@link java.lang.foreign.Arena} that it was asked for in;
 *   <li>no call is {@code critical}: any may block, and a thread that blocks in a critical call keeps the whole virtual
 *       machine from its safepoint.
 * </ul>
 *
 * <p>For instance, a futex word that two processes share:
 *
 * <pre>{@code
 * try (Arena arena = Arena.ofShared()) {
 *     MappedMemory memory = MappedMemory.createAnonymous("words", 4096, arena);
 *     MemorySegment word = memory.segment().asSlice(0, 4);
 *     int result = Futex.wait(word, 0, System.nanoTime() + 1_000_000, Futex.Scope.SHARED);
 *     if (result == -Errno.ETIMEDOUT) {
 *         ...
 *     }
 * }
 * }</pre>
 */
package ayatori.internal.linux;
