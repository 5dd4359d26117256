package jpi;

import org.jspecify.annotations.Nullable;

/**
 * To whom messages are sent, and from whom they come: the ranks of a {@link JComm}, or those of the other group of a {@link JIntercomm}.
 * For what passes messages in either way; each method does what {@link JComm}'s of its name does.
 */
public sealed interface JPeers permits JComm, JIntercomm {
    /** See {@link JComm#isolated}. */
    JPeers isolated();

    /** See {@link JComm#priority}. */
    JPeers priority(int newPriority);

    /** See {@link JComm#send}. */
    void send(@Nullable Object message, int destination, int tag);

    /** See {@link JComm#ssend}. */
    void ssend(@Nullable Object message, int destination, int tag);

    /** See {@link JComm#bsend}. */
    void bsend(@Nullable Object message, int destination, int tag);

    /** See {@link JComm#isend}. */
    JRequest<@Nullable Void> isend(@Nullable Object message, int destination, int tag);

    /** See {@link JComm#issend}. */
    JRequest<@Nullable Void> issend(@Nullable Object message, int destination, int tag);

    /** See {@link JComm#recv(int, int)}. */
    Object recv(int source, int tag);

    /** See {@link JComm#recv(Class, int, int)}. */
    <T> T recv(Class<T> type, int source, int tag);

    /** See {@link JComm#recv(JBuffer, int, int)}. */
    JStatus recv(JBuffer into, int source, int tag);

    /** See {@link JComm#irecv(int, int)}. */
    JRequest<Object> irecv(int source, int tag);

    /** See {@link JComm#irecv(JBuffer, int, int)}. */
    JRequest<JStatus> irecv(JBuffer into, int source, int tag);

    /** See {@link JComm#sendrecv(Object, int, int, int, int)}. */
    Object sendrecv(@Nullable Object message, int destination, int sendTag, int source, int receiveTag);

    /** See {@link JComm#sendrecv(JBuffer, int, int, JBuffer, int, int)}. */
    JStatus sendrecv(JBuffer message, int destination, int sendTag, JBuffer into, int source, int receiveTag);

    /** See {@link JComm#sendInit}. */
    JPersistent<@Nullable Void> sendInit(@Nullable Object message, int destination, int tag);

    /** See {@link JComm#recvInit(int, int)}. */
    JPersistent<Object> recvInit(int source, int tag);

    /** See {@link JComm#recvInit(JBuffer, int, int)}. */
    JPersistent<JStatus> recvInit(JBuffer into, int source, int tag);

    /** See {@link JComm#probe}. */
    JStatus probe(int source, int tag);

    /** See {@link JComm#iprobe}. */
    @Nullable
    JStatus iprobe(int source, int tag);

    /** See {@link JComm#mprobe}. */
    @Nullable
    JMessage mprobe(int source, int tag);

    /** See {@link JComm#improbe}. */
    @Nullable
    JMessage improbe(int source, int tag);
}
