// Tells ThreadSanitizer of the slow paths of Swift's Mutex: linked by meson-helpers/check/sanitize.
//
// A thread that does not wait takes the lock by an atomic operation in our own code, which is instrumented. A
// thread that waits takes the lock inside libswiftSynchronization, which is not instrumented: all data that the
// lock guards would then be reported as a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define HANDLE "$s15Synchronization12_MutexHandleV"
#define SELF __attribute__((swift_context)) void *self
#define SWIFT __attribute__((swiftcall, visibility("default")))

// Missing in tools of the build, which have no ThreadSanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void acquire(void *mutex) {
    if (__tsan_acquire) __tsan_acquire(mutex);
}

static void release(void *mutex) {
    if (__tsan_release) __tsan_release(mutex);
}

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(HANDLE "9_lockSlowyys6UInt32VF");
SWIFT void lock_slow(uint32_t thread, SELF) {
    SWIFT void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, HANDLE "9_lockSlowyys6UInt32VF");
    original(thread, self);
    acquire(self);
}

SWIFT _Bool try_lock_slow(SELF) __asm__(HANDLE "12_tryLockSlowSbyF");
SWIFT _Bool try_lock_slow(SELF) {
    SWIFT _Bool (*original)(SELF) = dlsym(RTLD_NEXT, HANDLE "12_tryLockSlowSbyF");
    if (!original(self)) return 0;
    acquire(self);
    return 1;
}

SWIFT void unlock_slow(SELF) __asm__(HANDLE "11_unlockSlowyyF");
SWIFT void unlock_slow(SELF) {
    SWIFT void (*original)(SELF) = dlsym(RTLD_NEXT, HANDLE "11_unlockSlowyyF");
    release(self);
    original(self);
}
