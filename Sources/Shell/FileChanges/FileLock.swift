import Glibc
import SystemCalls

/// Locks (flock(2)) of files and folders that other processes may replace or remove.
enum FileLock {
    /// Waits for the lock of an open file; returns whether the path still names this file.
    ///
    /// The lock ends when the descriptor is closed.
    static func acquire(_ descriptor: Int32, at path: [UInt8]) -> Bool {
        retrying { flock(descriptor, LOCK_EX) }
        var (locked, current) = (stat(), stat())
        return fstat(descriptor, &locked) == 0
            && path.withPathString { lstat($0, &current) } == 0
            && (locked.st_dev, locked.st_ino) == (current.st_dev, current.st_ino)
    }

    /// Takes the lock of an open file unless another process has the lock; returns whether it did.
    static func acquireAtOnce(_ descriptor: Int32) -> Bool {
        retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
    }
}
