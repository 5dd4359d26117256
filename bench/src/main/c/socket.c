/* A Unix stream socket: eight bytes there and eight back, both sides blocked in read. */
#define _GNU_SOURCE
#include "round_trip.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connection;

static struct sockaddr_un address(const char *place)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", place);
    return address;
}

static void serve(const char *place)
{
    struct sockaddr_un here = address(place);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    peer_require(bind(listener, (struct sockaddr *)&here, sizeof here) == 0, here.sun_path);
    peer_require(listen(listener, 1) == 0, here.sun_path);
    peer_ready();
    connection = accept(listener, NULL, NULL);
    peer_require(connection >= 0, here.sun_path);
    uint64_t body;
    while (read(connection, &body, sizeof body) == sizeof body)
        peer_require(write(connection, &body, sizeof body) == sizeof body, "answer");
}

static void connect_socket(const char *place)
{
    struct sockaddr_un there = address(place);
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    peer_require(connect(connection, (struct sockaddr *)&there, sizeof there) == 0, there.sun_path);
}

static void call(void)
{
    uint64_t body = 0;
    peer_require(write(connection, &body, sizeof body) == sizeof body, "request");
    peer_require(read(connection, &body, sizeof body) == sizeof body, "answer");
}

int main(int argc, char **argv)
{
    static const struct peer unix_socket = {serve, connect_socket, call};
    return peer_main(argc, argv, &unix_socket);
}
