#include "cmosquitto.h"

#include <stdlib.h>
#include <string.h>

#include "mosquitto.h"

/// Values of enumerations of libmosquitto and of the protocol.
enum {
    OPTION_PROTOCOL_VERSION = 1,
    OPTION_TLS_USE_SYSTEM = 13,
    PROTOCOL_3_1_1 = 4,
    PROTOCOL_5 = 5,
    PROPERTY_MAXIMUM_PACKET_SIZE = 39,
    ERROR_MEMORY = 1,
    REFUSAL_VERSION = 1,
    REFUSAL_VERSION_5 = 132,
};

struct cmosquitto {
    struct mosquitto *client;
    cmosquitto_events events;
    int speaks_version_5;
};

static int is_initialized;
static pthread_once_t initialized = PTHREAD_ONCE_INIT;

static void initialize(void) {
    is_initialized = mosquitto_open() && mosquitto.mosquitto_lib_init() == 0;
}

int cmosquitto_is_available(void) {
    pthread_once(&initialized, initialize);
    return is_initialized;
}

static void answered(struct mosquitto *client, void *object, int code) {
    (void)client;
    cmosquitto *self = object;
    self->events.answered(self->events.context, code);
}

static void received(
    struct mosquitto *client, void *object, const struct mosquitto_message *message) {
    (void)client;
    cmosquitto *self = object;
    if (!message->topic || message->payloadlen < 0) return;
    self->events.received(
        self->events.context, message->topic, message->payload, (size_t)message->payloadlen,
        message->retain);
}

cmosquitto *cmosquitto_make(
    const char *identifier, int speaks_version_5, cmosquitto_events events) {
    cmosquitto *self = malloc(sizeof *self);
    if (!self) return NULL;
    *self = (cmosquitto){mosquitto.mosquitto_new(identifier, true, self), events, speaks_version_5};
    if (!self->client) {
        free(self);
        return NULL;
    }
    mosquitto.mosquitto_int_option(
        self->client, OPTION_PROTOCOL_VERSION, speaks_version_5 ? PROTOCOL_5 : PROTOCOL_3_1_1);
    mosquitto.mosquitto_connect_callback_set(self->client, answered);
    mosquitto.mosquitto_message_callback_set(self->client, received);
    return self;
}

void cmosquitto_free(cmosquitto *client) {
    mosquitto.mosquitto_destroy(client->client);
    free(client);
}

int cmosquitto_set_credentials(cmosquitto *client, const char *user, const char *password) {
    return mosquitto.mosquitto_username_pw_set(client->client, user, password);
}

int cmosquitto_set_tls(cmosquitto *client, const char *authorities) {
    if (!authorities)
        return mosquitto.mosquitto_int_option(client->client, OPTION_TLS_USE_SYSTEM, 1);
    return mosquitto.mosquitto_tls_set(client->client, authorities, NULL, NULL, NULL, NULL);
}

int cmosquitto_set_will(cmosquitto *client, const char *topic, const char *payload) {
    return mosquitto.mosquitto_will_set(
        client->client, topic, (int)strlen(payload), payload, 0, true);
}

int cmosquitto_connect(
    cmosquitto *client, const char *host, int port, int keep_alive, uint32_t longest) {
    mosquitto_property *properties = NULL;
    if (client->speaks_version_5
        && mosquitto.mosquitto_property_add_int32(
            &properties, PROPERTY_MAXIMUM_PACKET_SIZE, longest))
        return ERROR_MEMORY;
    int code = mosquitto.mosquitto_connect_bind_v5(
        client->client, host, port, keep_alive, NULL, properties);
    mosquitto.mosquitto_property_free_all(&properties);
    return code;
}

int cmosquitto_socket(cmosquitto *client) { return mosquitto.mosquitto_socket(client->client); }

int cmosquitto_wants_write(cmosquitto *client) {
    return mosquitto.mosquitto_want_write(client->client);
}

int cmosquitto_read(cmosquitto *client) { return mosquitto.mosquitto_loop_read(client->client, 1); }

int cmosquitto_write(cmosquitto *client) {
    return mosquitto.mosquitto_loop_write(client->client, 1);
}

int cmosquitto_keep(cmosquitto *client) { return mosquitto.mosquitto_loop_misc(client->client); }

int cmosquitto_publish(
    cmosquitto *client, const char *topic, const uint8_t *payload, size_t length, int is_retained) {
    return mosquitto.mosquitto_publish(
        client->client, NULL, topic, (int)length, payload, 0, is_retained != 0);
}

int cmosquitto_subscribe(cmosquitto *client, const char *topic) {
    return mosquitto.mosquitto_subscribe(client->client, NULL, topic, 0);
}

int cmosquitto_disconnect(cmosquitto *client) {
    return mosquitto.mosquitto_disconnect(client->client);
}

const char *cmosquitto_text(int code) { return mosquitto.mosquitto_strerror(code); }

const char *cmosquitto_refusal(cmosquitto *client, int code) {
    return client->speaks_version_5 && code >= 128 ? mosquitto.mosquitto_reason_string(code)
                                                   : mosquitto.mosquitto_connack_string(code);
}

int cmosquitto_refuses_version(cmosquitto *client, int code) {
    return client->speaks_version_5 && (code == REFUSAL_VERSION || code == REFUSAL_VERSION_5);
}
