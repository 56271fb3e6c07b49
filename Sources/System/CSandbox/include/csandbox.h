// The measures by which a process locks itself in: what Linux has for it and libc does not wrap.
//
// Each returns 0 (or what it says) on success, and a negative errno where the kernel refuses or
// does not have it. Call them before the first thread is started.
#ifndef CCAGE_H
#define CCAGE_H

#include <stddef.h>

/// PR_SET_NO_NEW_PRIVS: no program that is executed gains anything by it, and the two filters
/// below may be installed without privileges.
int csandbox_forbid_new_privileges(void);

/// PR_SET_DUMPABLE 0: no core files, and no other process of the user can look into this one.
int csandbox_forbid_dumps(void);

/// Asks the kernel to end this process before all others when memory runs out.
int csandbox_go_first_when_memory_is_short(void);

/// setrlimit(2), soft and hard; `resource` is an RLIMIT_… constant.
int csandbox_limit(int resource, unsigned long long value);

/// Moves into user, network and IPC namespaces of its own (unshare(2)); 1 where the first was refused.
int csandbox_leave_namespaces(void);

/// RLIMIT_NPROC, to be called in a user namespace of one's own: bounds the threads. Before Linux 5.14
/// the limit would count whatever else the user runs, and is left alone.
int csandbox_limit_threads(unsigned long long value);

/// Gives up every capability (capset(2)), also those over its own namespaces.
int csandbox_drop_capabilities(void);

/// Closes every descriptor from `first` on.
int csandbox_close_from(int first);

/// Landlock: from now on nothing in the file system can be opened but files for reading beneath
/// `paths` and `folders`, which may be listed too; those that do not exist are left out. Where the
/// kernel knows these, no TCP ports, no abstract sockets and no signals to processes outside either.
///
/// Returns the version of the kernel's Landlock.
int csandbox_restrict_files(
    const char *const *paths, size_t count, const char *const *folders, size_t folder_count);

/// seccomp: from now on every system call that a decoder does not need ends the process; see the
/// table in calls.h. -ENOTSUP where the processor is not known.
int csandbox_restrict_calls(void);

#endif
