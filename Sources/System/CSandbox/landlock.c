#define _GNU_SOURCE
#include "include/csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "places.h"

// linux/landlock.h of the build system may be older than the running kernel, so the numbers of the
// kernel interface are repeated here.
enum {
    landlock_create_ruleset = 444,
    landlock_add_rule = 445,
    landlock_restrict_self = 446,
    create_ruleset_version = 1,
    rule_path_beneath = 1,
    read_file = 1 << 2,
    list_folder = 1 << 3,
};

struct ruleset {
    uint64_t files;
    uint64_t ports;
    uint64_t scopes;
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/// All file rights that a version of Landlock knows. Landlock denies only the rights that the ruleset
/// lists.
static uint64_t all_file_rights(long version) {
    // Execute, write, read, list; remove and create files of all types.
    uint64_t rights = (1ULL << 13) - 1;
    if (version >= 2) rights |= 1ULL << 13;  // refer: link and rename across folders
    if (version >= 3) rights |= 1ULL << 14;  // truncate
    if (version >= 5) rights |= 1ULL << 15;  // ioctl on devices
    return rights;
}

/// Folders among the libraries that may be listed: libheif finds its decoders by listing.
static const char *const plugin_folders[] = {
    "/usr/lib/" MULTIARCH "/libheif", "/usr/lib64/libheif", "/usr/lib/libheif",
    "/usr/local/lib/" MULTIARCH "/libheif", "/usr/local/lib/libheif",
};

static int add(int ruleset, const char *path, uint64_t rights) {
    struct path_beneath rule = {.allowed = rights};
    rule.parent = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent < 0) return 0;
    long result = syscall(landlock_add_rule, ruleset, rule_path_beneath, &rule, 0U);
    int code = result < 0 ? -errno : 0;
    close(rule.parent);
    return code;
}

int csandbox_restrict_files(void) {
    long version = syscall(landlock_create_ruleset, NULL, (size_t)0, create_ruleset_version);
    if (version < 0) return -errno;
    struct ruleset rules = {.files = all_file_rights(version)};
    // Older versions expect a shorter structure without the later fields.
    size_t length = sizeof rules.files;
    if (version >= 4) {
        rules.ports = 3;  // bind and connect
        length = 2 * sizeof(uint64_t);
    }
    if (version >= 6) {
        rules.scopes = 3;  // abstract sockets and signals
        length = sizeof rules;
    }
    int ruleset = (int)syscall(landlock_create_ruleset, &rules, length, 0U);
    if (ruleset < 0) return -errno;
    int code = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places && code == 0; i++)
        code = add(ruleset, places[i].path, read_file | (places[i].is_listed ? list_folder : 0));
    for (size_t i = 0; i < sizeof plugin_folders / sizeof *plugin_folders && code == 0; i++)
        code = add(ruleset, plugin_folders[i], read_file | list_folder);
    if (code == 0 && syscall(landlock_restrict_self, ruleset, 0U) < 0) code = -errno;
    close(ruleset);
    return code < 0 ? code : (int)version;
}
