import Glibc

// The three ways to handle a failed system call. They can be nested, as in
// `try reporting { retrying { open(path, O_RDONLY) } }`.

/// Repeats a call as long as a signal interrupts it (EINTR); returns the result of the last call,
/// which is negative after any other error.
@discardableResult
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        guard result < 0, errno == EINTR else { return result }
    }
}

/// Throws the error of a call that returned a negative number.
@discardableResult
package func reporting<Result: SignedInteger>(
    _ call: () -> Result
) throws(SystemError) -> Result {
    let result = call()
    guard result >= 0 else { throw .last }
    return result
}

/// Throws the error of a call that returned a null pointer.
package func reporting(_ call: () -> OpaquePointer?) throws(SystemError) -> OpaquePointer {
    guard let result = call() else { throw .last }
    return result
}

/// Throws the error of a call that returned a null pointer.
package func reporting<Pointee>(
    _ call: () -> UnsafeMutablePointer<Pointee>?
) throws(SystemError) -> UnsafeMutablePointer<Pointee> {
    guard let result = call() else { throw .last }
    return result
}

/// Traps if a call fails because its arguments are wrong (EBADF, EFAULT, EINVAL), which is an error
/// of the program; returns the result of the call, which is negative after any other error.
///
/// Only for calls whose arguments come from this program alone. `name` stands in the message.
@discardableResult
package func trapping<Result: SignedInteger>(
    _ name: StaticString, _ call: () -> Result
) -> Result {
    let result = call()
    guard result < 0 else { return result }
    let error = SystemError.last
    precondition(
        ![EBADF, EFAULT, EINVAL].contains(error.code), "\(name): \(error.description)")
    return result
}
