import Glibc
import SystemCalls
import Testing

/// Tests of faults that end the process.
///
/// They run on their own: once one of them has run, the test runner waits for child processes in a
/// loop that takes a processor as long as any other test leaves a child unwaited.
@Suite struct TrapTests {
    @Test func wrongArgumentsTrap() async {
        await #expect(processExitsWith: .failure) { trapping("close") { close(-1) } }
    }
}
