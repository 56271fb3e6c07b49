import Desktop
import Folders
import Glibc
import SystemCalls
import TOML

/// Arguments that are no paths of the file system: standard input, other descriptors, and URIs.
extension Options {
    /// Takes over the descriptors that the arguments name.
    ///
    /// To be called before the program opens a descriptor: one that is closed would be a descriptor of
    /// the program later. The file server, another process, gets none of these names.
    mutating func takeDescriptors() throws(UsageError) {
        for path in ownFiles where path.descriptor?.isOpen == false {
            throw UsageError(reason: "\(path): \(SystemError(code: ENOENT).pathMessage)")
        }
        paths = paths.map(\.withoutOpenFolder)
        for path in paths where inputs[path] == nil {
            guard let number = path.inputNumber else { continue }
            inputs[path] =
                inputs.first { $0.key.inputNumber == number }?.value
                ?? GivenInput(number, name: path)
        }
        readConfigInput()
    }

    /// Replaces the URIs among the paths by the paths that they name, except where a file has the URI
    /// as its name; reports the others.
    ///
    /// Returns false if paths were given, and none is left. `existing` chooses the paths of files.
    mutating func readURIs(existing: ([FilePath]) -> Set<FilePath>) -> Bool {
        let texts = paths.filter { LocalFileURI.isURI($0.bytes) }
        guard !texts.isEmpty else { return true }
        let names = existing(texts)
        paths = paths.compactMap { path in
            guard LocalFileURI.isURI(path.bytes), !names.contains(path) else { return path }
            if let file = try? LocalFileURI.read(path.bytes) { return file }
            Diagnostics.error(LocalFileURI.refusal(of: path.description))
            return nil
        }
        return !paths.isEmpty
    }

    /// The files that this process opens itself.
    private var ownFiles: [FilePath] {
        [headless.script, reports.trace, headless.shot, reports.record, reports.interfaceLog]
            .compactMap(\.self)
            + (headless.shotsAt + headless.interfaceAt).map(\.path)
            + headless.lightShots.map(\.path)
    }

    /// Reads the settings of a descriptor to their end, as another program writes them.
    private mutating func readConfigInput() {
        guard let path = settingSources.file, let descriptor = path.descriptor else { return }
        do throws(SystemError) {
            guard descriptor.isOpen, descriptor.names.isEmpty else {
                throw SystemError(code: ENOENT)
            }
            let bytes = try readToEnd(of: descriptor.number, limit: TOMLDocument.longest)
            settingSources.input = SettingsFiles.File(path: path, content: .bytes(bytes))
        } catch { settingSources.input = SettingsFiles.File(path: path, content: .failed(error)) }
    }
}

extension FilePath {
    /// The descriptor whose contents the path stands for; nil for a path of the file system.
    fileprivate var inputNumber: Int32? {
        if bytes == [UInt8(ascii: "-")] { return STDIN_FILENO }
        guard let descriptor, descriptor.isOpen, descriptor.names.isEmpty else { return nil }
        return descriptor.number
    }

    /// The path of the open folder that the path names; any other path as it is.
    fileprivate var withoutOpenFolder: FilePath {
        guard let descriptor, descriptor.isFolder else { return self }
        return descriptor.openedPath ?? self
    }
}
