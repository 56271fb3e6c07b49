// What the decoder may read of the file system. Codec libraries are loaded when a picture needs them,
// and drawings need fonts for their text.
#ifndef CSANDBOX_PLACES_H
#define CSANDBOX_PLACES_H

static const struct place {
    const char *path;
    /// Whether the folder may be listed: the files of fontconfig are found by listing.
    int is_listed;
} places[] = {
    // Shared libraries, and the files of the dynamic linker. Some libraries are links to
    // /etc/alternatives, which has links back.
    {"/usr/lib", 0},
    {"/usr/lib64", 0},
    {"/usr/local/lib", 0},
    {"/lib", 0},
    {"/lib64", 0},
    {"/etc/alternatives", 0},
    {"/etc/ld.so.cache", 0},
#if defined(__x86_64__)
    {"/etc/ld-musl-x86_64.path", 0},
#elif defined(__aarch64__)
    {"/etc/ld-musl-aarch64.path", 0},
#elif defined(__arm__)
    {"/etc/ld-musl-armhf.path", 0},
#elif defined(__riscv)
    {"/etc/ld-musl-riscv64.path", 0},
#endif
    // Fonts of the system and their configuration.
    {"/etc/fonts", 1},
    {"/usr/share/fonts", 1},
    {"/usr/local/share/fonts", 1},
    {"/usr/share/fontconfig", 1},
    {"/var/cache/fontconfig", 1},
};

// The folder of the libraries of this architecture on Debian.
#if defined(__x86_64__)
#define MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#elif defined(__arm__)
#define MULTIARCH "arm-linux-gnueabihf"
#else
#define MULTIARCH "riscv64-linux-gnu"
#endif

#endif
