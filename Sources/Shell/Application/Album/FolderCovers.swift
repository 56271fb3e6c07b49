import Browser
import DecodeClient
import EventLoop
import FileAccess
import Folders
import Glibc
import ImageTypes
import ImageWire
import SystemCalls

/// What is in the folders before the pictures: the number of pictures, and the first ones for the cover.
///
/// Only folders that are visible are read, one after another on a thread.
final class FolderCovers {
    struct Summary: Sendable {
        var pictures = 0
        var folders = 0
        /// The names of the first pictures.
        var first: [[UInt8]] = []
        /// Why the folder cannot be read; nil where it can.
        var problem: String?
    }

    private let environment: DecoderEnvironment
    private let jobs: BackgroundJobs
    private var summaries: [FilePath: Summary] = [:]
    /// The numbers of pictures on covers, below 0, and their paths.
    private var numbers: [FilePath: Int] = [:]
    private var paths: [Int: FilePath] = [:]
    private var waiting: [FilePath] = []
    /// The folders whose summaries may be old.
    private var stale: Set<FilePath> = []
    private var reading: FilePath?
    /// Called when a folder was read: a new frame shows what is in the folder.
    var onSummary: () -> Void = {}

    private static let niceness: Int32 = 5

    init(_ environment: DecoderEnvironment) {
        self.environment = environment
        jobs = BackgroundJobs(environment.sources)
    }

    var isBusy: Bool { reading != nil || !waiting.isEmpty }

    func summary(of folder: FilePath) -> Summary? { summaries[folder] }

    /// The path of a picture on a cover, by its number.
    func path(_ number: Int) -> FilePath? { paths[number] }

    /// The numbers of the pictures on the cover of a folder.
    func numbers(of folder: FilePath) -> [Int] {
        (summaries[folder]?.first ?? []).map { name in
            let path = folder.appending(name)
            if let known = numbers[path] { return known }
            let number = -1 - numbers.count
            (numbers[path], paths[number]) = (number, path)
            return number
        }
    }

    /// Reads these folders next, unless they were read.
    func want(_ folders: [FilePath]) {
        waiting = folders.filter {
            (summaries[$0] == nil || stale.contains($0)) && $0 != reading
        }.reversed()
        readNext()
    }

    /// Reads folders again that come into view.
    func forget() {
        (summaries, waiting) = ([:], [])
    }

    /// Reads folders again, since files were changed; until then their covers stay.
    func refresh() { stale = Set(summaries.keys) }

    private func readNext() {
        guard reading == nil, let folder = waiting.popLast() else { return }
        reading = folder
        stale.remove(folder)
        let socket = environment.files?.connectFolders() ?? -1
        let isRunning = jobs.run(niceness: Self.niceness) {
            Self.read(folder, socket)
        } then: { [weak self] summary in
            guard let self else { return }
            reading = nil
            summaries[folder] = summary
            onSummary()
            readNext()
        }
        guard !isRunning else { return }
        if socket >= 0 { close(socket) }
        (reading, waiting) = (nil, [])
    }

    private static func read(_ folder: FilePath, _ socket: Int32) -> Summary {
        var summary = Summary()
        var names: [[UInt8]] = []
        do throws(SystemError) {
            let client =
                socket >= 0
                ? FolderClient(socket, stop: -1) : try FolderClient.startThread(stop: -1)
            defer { if client.watches >= 0 { close(client.watches) } }
            try client.list(folder.bytes, wantsDetails: false, wantsSubfolders: true) { _ in
            } onItems: { items in
                for item in items {
                    switch item.kind {
                    case .folder, .linkedFolder: summary.folders += 1
                    case .picture: names.append(item.name)
                    }
                }
            }
        } catch { summary.problem = error.pathMessage }
        summary.pictures = names.count
        // The first ones of many are found without sorting all.
        while summary.first.count < FolderContent.mostCovers,
            let least = names.indices.min(by: {
                NaturalOrder.isOrdered(names[$0], before: names[$1])
            })
        {
            summary.first.append(names.remove(at: least))
        }
        return summary
    }
}
