// The protocol of /dev/fuse, and mount(2).
#include <linux/fuse.h>
#include <sys/mount.h>
