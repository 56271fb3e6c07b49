import Threads

/// A mounted read-only view of a folder, whose operations stall, fail or take long on command, as those of
/// a network share that was lost do.
///
/// A process that waits for a stalled operation cannot be ended, not even by SIGKILL, until the operation
/// is released. The end of this object releases all of them and unmounts the file system.
///
/// Only other processes may open its files. If this process did, a program that it starts would inherit
/// the descriptor together with the connection to the kernel, would wait for an answer when it closes the
/// descriptor, and would itself keep the connection open that nobody answers any more.
///
/// A rule for a file names the file by its path below the folder, or by its last part alone; "." is the
/// folder itself. Of several rules for an operation the last one applies.
package final class StallingFileSystem: Sendable {
    /// Where the file system is mounted.
    package let path: String
    private let mount: Mount
    private let server: Server
    private let rules: RuleBook

    /// Why no file system can be mounted on this machine; nil if it can.
    package static let obstacle: String? = Mount.obstacle

    /// Mounts a view of `folder` at `path`, which is an existing empty folder.
    package init(of folder: String, at path: String) throws(MountError) {
        self.path = path
        rules = RuleBook()
        mount = try Mount(at: path)
        server = Server(mount.descriptor, FolderMirror(folder), rules)
        guard Thread.start({ [server] in server.run() }) else { throw MountError("no thread") }
    }

    deinit {
        // Unmounting looks the path up, so that it must not stall.
        release()
        mount.detach()
        server.stop()
    }

    // MARK: Rules

    /// Does not answer operations until the rule is released.
    package func stall(_ operations: Operation..., of name: String? = nil) {
        for operation in operations { add(Rule(operation, name, .stalls)) }
    }

    /// Answers operations with an error number; operations that are stalled fail at once.
    package func fail(_ operation: Operation, of name: String? = nil, with code: Int32) {
        add(Rule(operation, name, .fails(code)))
    }

    /// Answers operations late.
    package func delay(_ operation: Operation, of name: String? = nil, milliseconds: Int) {
        add(Rule(operation, name, .delays(milliseconds: milliseconds)))
    }

    /// Removes all rules and answers all operations that wait.
    package func release() {
        rules.removeAll()
        server.wake()
    }

    private func add(_ rule: Rule) {
        rules.add(rule)
        server.wake()
    }

    // MARK: Counters

    /// The number of operations that wait for an answer, perhaps only those of one kind or one file.
    package func waiting(_ operation: Operation? = nil, of name: String? = nil) -> Int {
        rules.count(of: operation, name, isWaiting: true)
    }

    /// The number of operations so far, with those that wait.
    package func received(_ operation: Operation? = nil, of name: String? = nil) -> Int {
        rules.count(of: operation, name, isWaiting: false)
    }
}
