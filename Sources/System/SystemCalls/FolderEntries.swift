package import Glibc

/// The next entry of an open folder, as readdir(3) gives it; nil at the end.
package func nextEntry(
    of stream: OpaquePointer
) throws(SystemError) -> UnsafeMutablePointer<dirent>? {
    // An end leaves errno as it is.
    errno = 0
    if let entry = readdir(stream) { return entry }
    guard errno == 0 else { throw .last }
    return nil
}
