import Folders
import Interface

/// The interface of a run, for `--ui`: one line per change, flushed after each line.
struct InterfaceLog: ~Copyable {
    private var file: OutputFile
    /// The line that was written last.
    private var last = ""

    private init(file: consuming OutputFile) {
        self.file = file
    }

    /// Nil without a path.
    init?(_ path: FilePath?) throws(RunFailure) {
        guard let path else { return nil }
        self.init(file: try OutputFile.make(path))
    }

    /// Writes the interface if it has changed; returns false if the write failed.
    mutating func write(_ interface: Widget) -> Bool {
        let line = InterfaceTree.text(interface)
        guard line != last else { return true }
        last = line
        // Flush each line, because other programs read the file while it grows.
        return file.write(line) && file.flush()
    }
}
