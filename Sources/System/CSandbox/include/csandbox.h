// Sandbox measures that a process applies to itself: Linux interfaces without a libc wrapper.
//
// Each function returns 0, or the documented value, on success, and a negative errno if the kernel
// refuses the measure or lacks it; errno itself may have any value then. Call them before the first thread is started.
#ifndef CSANDBOX_H
#define CSANDBOX_H

/// PR_SET_NO_NEW_PRIVS: an executed program gains no privileges. The Landlock and seccomp filters below
/// need it if the process has no privileges.
int csandbox_forbid_new_privileges(void);

/// PR_SET_DUMPABLE 0: no core files, and no other process of the user can read this one's memory.
int csandbox_forbid_dumps(void);

/// Sets oom_score_adj to its maximum: the kernel kills this process first when memory runs out.
int csandbox_prefer_oom_kill(void);

/// setrlimit(2) for the soft and the hard limit; never raises a hard limit. `resource` is an RLIMIT_…
/// constant.
int csandbox_limit(int resource, unsigned long long value);

/// RLIMIT_MEMLOCK 0, a constant that Swift's Glibc module lacks: no memory can be locked (mlock(2)).
int csandbox_forbid_locked_memory(void);

/// Returns whether the process is the first one of a PID namespace, as `clinux_spawn_isolated` starts
/// it; -EPERM if not.
int csandbox_has_own_processes(void);

/// Moves the process into new user, network and IPC namespaces (unshare(2)), unless it was started in
/// them. Returns 1 if only the user namespace was refused.
int csandbox_unshare_namespaces(void);

/// Moves the process into a new mount namespace, whose root holds only the libraries and fonts of
/// places.h, read-only. Needs privileges in the user namespace, and /proc for them.
int csandbox_empty_root(void);

/// RLIMIT_NPROC: limits the number of threads. Call it in an own user namespace. Before Linux 5.14 the
/// limit would count all processes of the user, so the function does nothing there.
int csandbox_limit_threads(unsigned long long value);

/// Drops every capability (capset(2)), including those in its own namespaces, and empties the bounding
/// set, so that no executed program gets one.
int csandbox_drop_capabilities(void);

/// Landlock: from now on the process can only open files for reading, and only those of places.h, and
/// list only the folders of fonts and of the decoders of libheif. Paths that do not exist are ignored. If the kernel supports it,
/// Landlock also denies TCP ports, abstract sockets, and signals to processes outside.
///
/// Returns the kernel's Landlock version.
int csandbox_restrict_files(void);

/// seccomp: from now on every system call that a decoder does not need ends the process; calls.h lists
/// the allowed calls. Returns -ENOTSUP on other architectures than x86-64, AArch64, 32-bit Arm (EABI, little-endian) and
/// 64-bit RISC-V.
int csandbox_restrict_calls(void);

#endif
