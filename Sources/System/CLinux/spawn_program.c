#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/clinux.h"

/// The length of the name of an environment variable.
static size_t name_length(const char *variable) { return strcspn(variable, "="); }

static int has_name(const char *variable, const char *other) {
    size_t length = name_length(variable);
    return length == name_length(other) && memcmp(variable, other, length) == 0;
}

/// The environment with changes, to be freed with free(3); NULL without memory.
static char **changed_environment(char *const *changes) {
    size_t count = 1;
    for (char **variable = environ; variable && *variable; variable++) count++;
    for (char *const *change = changes; *change; change++) count++;
    char **result = calloc(count, sizeof *result);
    if (!result) return NULL;
    size_t used = 0;
    for (char **variable = environ; variable && *variable; variable++) {
        char *const *change = changes;
        while (*change && !has_name(*change, *variable)) change++;
        if (!*change) result[used++] = *variable;
    }
    for (char *const *change = changes; *change; change++) {
        if (strchr(*change, '=')) result[used++] = *change;
    }
    return result;
}

static int prepare(
    posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, const char *folder,
    int errors) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int code = posix_spawnattr_setsigmask(attributes, &none);
    if (!code) code = posix_spawnattr_setsigdefault(attributes, &all);
    if (!code) {
        code = posix_spawnattr_setflags(
            attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    // Before 0, 1 and 2 are replaced, because `errors` may be one of them.
    if (!code && errors >= 0) code = posix_spawn_file_actions_adddup2(actions, errors, 2);
    if (!code && errors < 0) {
        code = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    }
    if (!code) code = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!code) code = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!code && folder) code = posix_spawn_file_actions_addchdir_np(actions, folder);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return code;
}

pid_t clinux_spawn_program(
    char *const *arguments, char *const *changes, const char *folder, int errors) {
    char **environment = changed_environment(changes);
    if (!environment) {
        errno = ENOMEM;
        return -1;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process = -1;
    int code = posix_spawn_file_actions_init(&actions);
    if (!code) {
        code = posix_spawnattr_init(&attributes);
        if (!code) {
            code = prepare(&actions, &attributes, folder, errors);
            if (!code) {
                code = posix_spawnp(
                    &process, arguments[0], &actions, &attributes, arguments, environment);
            }
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    free(environment);
    if (!code) return process;
    errno = code;
    return -1;
}
