/* D-Bus: a method call with its reply, through a dbus-daemon of our own that runs on the server's CPU and at its policy. */
#define _GNU_SOURCE
#include "round_trip.h"

#include <dbus/dbus.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define SERVICE "ayatori.bench.Peer"
#define LIMIT_MILLIS 5000

static DBusConnection *connection;

static void require_bus(const DBusError *error)
{
    if (dbus_error_is_set(error)) {
        fprintf(stderr, "%s: %s\n", error->name, error->message);
        exit(1);
    }
}

static void connect_bus(const char *place)
{
    char address[PATH_MAX];
    snprintf(address, sizeof address, "unix:path=%s/bus", place);
    DBusError error = DBUS_ERROR_INIT;
    connection = dbus_connection_open_private(address, &error);
    require_bus(&error);
    dbus_bus_register(connection, &error);
    require_bus(&error);
}

/* A bus that lets everybody do everything; the folder is ours alone. */
static void configure(const char *place, char *path, size_t size)
{
    snprintf(path, size, "%s/bus.conf", place);
    FILE *file = fopen(path, "we");
    peer_require(file != NULL, path);
    fprintf(file,
            "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"\n"
            " \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
            "<busconfig><type>session</type><listen>unix:path=%s/bus</listen><auth>EXTERNAL</auth>\n"
            "<policy context=\"default\"><allow own=\"*\"/><allow send_destination=\"*\"/><allow receive_sender=\"*\"/>"
            "</policy></busconfig>\n",
            place);
    peer_require(fclose(file) == 0, path);
}

/* Starts the daemon, which ends with this process, and waits until it listens. */
static void start_daemon(const char *place)
{
    char path[PATH_MAX];
    configure(place, path, sizeof path);
    int told[2];
    peer_require(pipe(told) == 0, "pipe");
    pid_t daemon = fork();
    peer_require(daemon >= 0, "fork");
    if (daemon == 0) {
        char config[PATH_MAX + 32];
        char print[64];
        snprintf(config, sizeof config, "--config-file=%s", path);
        snprintf(print, sizeof print, "--print-address=%d", told[1]);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(told[0]);
        execlp("dbus-daemon", "dbus-daemon", "--nofork", config, print, (char *)NULL);
        perror("dbus-daemon");
        _exit(1);
    }
    close(told[1]);
    char address[PATH_MAX];
    bool listens = read(told[0], address, sizeof address) > 0;
    close(told[0]);
    if (!listens) {
        fputs("dbus-daemon has not started\n", stderr);
        exit(1);
    }
}

static void serve(const char *place)
{
    start_daemon(place);
    connect_bus(place);
    DBusError error = DBUS_ERROR_INIT;
    dbus_bus_request_name(connection, SERVICE, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error);
    require_bus(&error);
    peer_ready();
    do {
        DBusMessage *request;
        while ((request = dbus_connection_pop_message(connection)) != NULL) {
            if (dbus_message_is_method_call(request, SERVICE, "Call")) {
                DBusMessage *answer = dbus_message_new_method_return(request);
                dbus_connection_send(connection, answer, NULL);
                dbus_connection_flush(connection);
                dbus_message_unref(answer);
            }
            dbus_message_unref(request);
        }
    } while (dbus_connection_read_write(connection, -1));
}

static void call(void)
{
    DBusMessage *request = dbus_message_new_method_call(SERVICE, "/", SERVICE, "Call");
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *answer = dbus_connection_send_with_reply_and_block(connection, request, LIMIT_MILLIS, &error);
    require_bus(&error);
    dbus_message_unref(answer);
    dbus_message_unref(request);
}

int main(int argc, char **argv)
{
    static const struct peer dbus = {serve, connect_bus, call};
    return peer_main(argc, argv, &dbus);
}
