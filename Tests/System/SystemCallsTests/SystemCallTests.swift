import Glibc
import SystemCalls
import Testing

@Suite struct SystemCallTests {
    private static let missing = "/nonexistent/file"

    @Test func interruptedCallsAreRepeated() {
        var calls = 0
        let result = retrying { () -> Int32 in
            calls += 1
            guard calls < 3 else { return 7 }
            errno = EINTR
            return -1
        }
        #expect(result == 7 && calls == 3)
    }

    @Test func otherErrorsAreNotRepeated() {
        var calls = 0
        let result = retrying { () -> Int in
            calls += 1
            errno = EAGAIN
            return -1
        }
        #expect(result == -1 && calls == 1)
    }

    @Test func failedCallsAreReported() throws {
        #expect(throws: SystemError(code: ENOENT)) {
            try reporting { open(Self.missing, O_RDONLY) }
        }
        #expect(throws: SystemError(code: ENOENT)) { try reporting { opendir(Self.missing) } }
        #expect(throws: SystemError(code: ENOENT)) { try reporting { fopen(Self.missing, "r") } }
        let descriptor = try reporting { open("/dev/null", O_RDONLY | O_CLOEXEC) }
        #expect(descriptor >= 0)
        close(descriptor)
    }

    @Test func failuresOfTheSystemDoNotTrap() {
        #expect(trapping("waitpid") { waitpid(getpid(), nil, 0) } == -1)
        #expect(trapping("getpid") { getpid() } > 0)
    }

    @Test func messagesNameTheReason() {
        func messages(_ code: Int32) -> [String] {
            let error = SystemError(code: code)
            return [error.description, error.pathMessage, error.pictureMessage]
        }
        #expect(
            messages(ENOENT) == [
                "No such file or directory", "there is no such file", "there is no such file",
            ])
        #expect(
            messages(EACCES) == [
                "Permission denied", "permission denied",
                "it may not be read: permission denied",
            ])
        #expect(
            messages(EMFILE) == [
                "Too many open files", "cannot be opened: Too many open files",
                "it cannot be opened: Too many open files",
            ])
    }
}
