package ayatori.internal.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ErrnoTest {
    @Test
    void namesAreThoseOfTheKernelsHeaders() {
        assertEquals("EPERM", Errno.name(Errno.EPERM));
        assertEquals("EPERM", Errno.name(-1));
        assertEquals("ERANGE", Errno.name(34));
        assertEquals("EDEADLK", Errno.name(35));
        assertEquals("errno 41", Errno.name(41)); // EWOULDBLOCK is another name of EAGAIN, and 41 is none
        assertEquals("ETIMEDOUT", Errno.name(Errno.ETIMEDOUT));
        assertEquals("EOWNERDEAD", Errno.name(Errno.EOWNERDEAD));
        assertEquals("EHWPOISON", Errno.name(133));
        assertEquals("errno 134", Errno.name(134));
        assertEquals("errno 0", Errno.name(0));
    }
}
