// The declarations of libmosquitto that are used here, and the table of the functions.
//
// The declarations belong to the stable interface of libmosquitto.so.1, so that a build needs neither the
// library nor its header.
#ifndef MOSQUITTO_H
#define MOSQUITTO_H

#include <stdbool.h>
#include <stdint.h>

#include "cloader.h"

struct mosquitto;
typedef struct mqtt5__property mosquitto_property;

struct mosquitto_message {
    int mid;
    char *topic;
    void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

int mosquitto_lib_init(void);
struct mosquitto *mosquitto_new(const char *id, bool clean_session, void *obj);
void mosquitto_destroy(struct mosquitto *mosq);
int mosquitto_int_option(struct mosquitto *mosq, int option, int value);
int mosquitto_username_pw_set(
    struct mosquitto *mosq, const char *username, const char *password);
int mosquitto_tls_set(
    struct mosquitto *mosq, const char *cafile, const char *capath, const char *certfile,
    const char *keyfile, int (*pw_callback)(char *buf, int size, int rwflag, void *userdata));
int mosquitto_will_set(
    struct mosquitto *mosq, const char *topic, int payloadlen, const void *payload, int qos,
    bool retain);
int mosquitto_connect_bind_v5(
    struct mosquitto *mosq, const char *host, int port, int keepalive, const char *bind_address,
    const mosquitto_property *properties);
int mosquitto_disconnect(struct mosquitto *mosq);
int mosquitto_publish(
    struct mosquitto *mosq, int *mid, const char *topic, int payloadlen, const void *payload,
    int qos, bool retain);
int mosquitto_subscribe(struct mosquitto *mosq, int *mid, const char *sub, int qos);
int mosquitto_socket(struct mosquitto *mosq);
int mosquitto_loop_read(struct mosquitto *mosq, int max_packets);
int mosquitto_loop_write(struct mosquitto *mosq, int max_packets);
int mosquitto_loop_misc(struct mosquitto *mosq);
bool mosquitto_want_write(struct mosquitto *mosq);
void mosquitto_connect_callback_set(
    struct mosquitto *mosq, void (*on_connect)(struct mosquitto *, void *, int));
void mosquitto_message_callback_set(
    struct mosquitto *mosq,
    void (*on_message)(struct mosquitto *, void *, const struct mosquitto_message *));
const char *mosquitto_strerror(int code);
const char *mosquitto_connack_string(int code);
const char *mosquitto_reason_string(int code);
int mosquitto_property_add_int32(mosquitto_property **list, int identifier, uint32_t value);
void mosquitto_property_free_all(mosquitto_property **list);

#define MOSQUITTO(F)                                                                               \
    F(mosquitto_lib_init)                                                                          \
    F(mosquitto_new)                                                                               \
    F(mosquitto_destroy)                                                                           \
    F(mosquitto_int_option)                                                                        \
    F(mosquitto_username_pw_set)                                                                   \
    F(mosquitto_tls_set)                                                                           \
    F(mosquitto_will_set)                                                                          \
    F(mosquitto_connect_bind_v5)                                                                   \
    F(mosquitto_disconnect)                                                                        \
    F(mosquitto_publish)                                                                           \
    F(mosquitto_subscribe)                                                                         \
    F(mosquitto_socket)                                                                            \
    F(mosquitto_loop_read)                                                                         \
    F(mosquitto_loop_write)                                                                        \
    F(mosquitto_loop_misc)                                                                         \
    F(mosquitto_want_write)                                                                        \
    F(mosquitto_connect_callback_set)                                                              \
    F(mosquitto_message_callback_set)                                                              \
    F(mosquitto_strerror)                                                                          \
    F(mosquitto_connack_string)                                                                    \
    F(mosquitto_reason_string)                                                                     \
    F(mosquitto_property_add_int32)                                                                \
    F(mosquitto_property_free_all)
CLOADER_LIBRARY(mosquitto, "libmosquitto.so.1", MOSQUITTO)

#endif
