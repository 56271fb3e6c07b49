// A connection to an MQTT broker by libmosquitto, which is opened when it is needed first.
//
// A client belongs to one thread, which polls the socket and calls the functions below; the library starts
// no thread. Codes are those of libmosquitto: 0 is success.
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <stddef.h>
#include <stdint.h>

/// A client with at most one connection to a broker.
typedef struct cmosquitto cmosquitto;

/// What a client calls while it reads.
typedef struct cmosquitto_events {
    void *context;
    /// The broker has answered the request for a connection: 0, or a code of `cmosquitto_refusal`.
    void (*answered)(void *context, int code);
    /// A message has arrived; `topic` and `payload` are valid during the call.
    void (*received)(
        void *context, const char *topic, const uint8_t *payload, size_t length, int is_retained);
} cmosquitto_events;

/// Whether libmosquitto is installed.
int cmosquitto_is_available(void);

/// Makes a client that speaks version 5 of the protocol, or 3.1.1. Returns NULL without memory.
cmosquitto *cmosquitto_make(const char *identifier, int speaks_version_5, cmosquitto_events events);
/// Closes the connection without a word, so that the broker publishes the last will.
void cmosquitto_free(cmosquitto *client);

int cmosquitto_set_credentials(cmosquitto *client, const char *user, const char *password);
/// Makes the connection encrypted, and the broker known by the certificates of a file, or by those of the
/// system for NULL. The name of the broker is checked, too.
int cmosquitto_set_tls(cmosquitto *client, const char *authorities);
/// What the broker publishes, and keeps, when the connection ends without a word.
int cmosquitto_set_will(cmosquitto *client, const char *topic, const char *payload);

/// Connects, which takes as long as the system needs to find and reach the host. A broker that speaks
/// version 5 is told to send no packet above `longest` bytes. `keep_alive` is in seconds.
int cmosquitto_connect(
    cmosquitto *client, const char *host, int port, int keep_alive, uint32_t longest);
/// The socket of the connection, or -1.
int cmosquitto_socket(cmosquitto *client);
/// Whether data wait to be sent.
int cmosquitto_wants_write(cmosquitto *client);

// These calls end the connection if they return a code.
int cmosquitto_read(cmosquitto *client);
int cmosquitto_write(cmosquitto *client);
/// Keeps the connection alive, and notices that the broker has gone; to be called every few seconds.
int cmosquitto_keep(cmosquitto *client);

/// Publishes at most once.
int cmosquitto_publish(
    cmosquitto *client, const char *topic, const uint8_t *payload, size_t length, int is_retained);
int cmosquitto_subscribe(cmosquitto *client, const char *topic);
/// Takes leave: the broker forgets the last will.
int cmosquitto_disconnect(cmosquitto *client);

/// A code as a message for people; to be called before any other system call.
const char *cmosquitto_text(int code);
/// Why a broker has refused a connection, as a message for people.
const char *cmosquitto_refusal(cmosquitto *client, int code);
/// Whether a broker has refused a connection because of the version of the protocol.
int cmosquitto_refuses_version(cmosquitto *client, int code);

#endif
