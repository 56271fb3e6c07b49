import CLinux
import Browser
import EventLoop
import Folders
import Glibc
import Motion
import SystemCalls
import Viewer

/// Lets a slideshow go on where the last run with the same paths has ended, and remembers how far it has
/// come: at most 50 s are lost with the power.
///
/// Each set of paths has a file of its own, so that programs do not disturb one another. Files are
/// written on threads: a disk may not answer.
final class SlideshowRecall {
    private let album: Album
    private let folder: FilePath?
    private let disk: DiskWork
    /// The key of the album's paths; nil before the first album.
    private var paths: UInt64?
    private var memory = SlideshowMemory()
    /// Whether the next album belongs to a visitor; its slideshow is not remembered.
    var opensForeignAlbum = false
    private var isForeign = false
    /// The memories of other albums of this run.
    private var others: [(paths: UInt64, memory: SlideshowMemory)] = []
    /// Nil where nothing is remembered.
    private var file: StateFile?
    /// The file while it is being read; nothing is remembered until then.
    private var reading: StateReading?
    private var readingSource: EventSources.Source?
    /// Whether a window may be shown: for its first album the first session waits longer.
    var mayHaveWindow = false
    /// The memory that the file has, or will have after the present write.
    private var written = SlideshowMemory()
    private var lastWrite: Moment?
    private var source: EventSources.Source?
    private let sources: EventSources
    private let now: () -> Moment

    /// The least time between two writes, and the longest until a change is written, in milliseconds.
    private static let (pause, latest) = (30_000.0, 50_000.0)
    /// More files than these in the folder are removed, the oldest ones first.
    private static let most = 32
    private static let folderName = "slideshow"

    /// `folder` is the folder of all state; nil remembers nothing.
    init(
        _ album: Album, in folder: FilePath?, on disk: DiskWork, _ sources: EventSources,
        now: @escaping () -> Moment
    ) {
        self.album = album
        self.disk = disk
        self.folder = folder?.appending(Array(Self.folderName.utf8))
        self.sources = sources
        self.now = now
        source = sources.add(quietDeadline: { [unowned self] in deadline }) { [unowned self] in
            write(at: now())
        }
    }

    deinit {
        for source in [source, readingSource] { if let source { sources.remove(source) } }
    }

    // MARK: Going on

    /// Reads the memory of the album's paths, unless the paths are the same as before; gives the memory
    /// to a new browser.
    func open(for browser: inout BrowserModel) {
        let key = PathKey(album.paths).value
        if key != paths {
            write()
            if let paths, !isForeign { remember(memory, of: paths) }
            (paths, isForeign) = (key, opensForeignAlbum)
            read(key)
        }
        if let progress = memory.progress { browser.viewer.restoreSlides(progress) }
        listingChanged(for: &browser)
    }

    /// Keeps the memories of as many albums as the folder may have files.
    private func remember(_ memory: SlideshowMemory, of paths: UInt64) {
        others.removeAll { $0.paths == paths }
        others.append((paths, memory))
        if others.count > Self.most { others.removeFirst() }
    }

    private func read(_ key: UInt64) {
        let known = others.first { $0.paths == key }?.memory
        file =
            isForeign
            ? nil
            : folder.map {
                StateFile(SlideshowMemory.text(key), in: $0, longest: SlideshowMemory.longest)
            }
        memory = known ?? SlideshowMemory()
        (written, lastWrite) = (memory, nil)
        setReading(known == nil ? file.map(StateReading.init) : nil)
        let patience = mayHaveWindow ? StateReading.patience : StateReading.patienceAtStart
        mayHaveWindow = true
        if reading?.wait(patience) == true { _ = adopt() }
    }

    private func setReading(_ reading: StateReading?) {
        self.reading = reading
        endSource()
        // After this event, the session calls `receive(for:)`.
        readingSource = reading.map {
            sources.add(descriptor: $0.descriptor) { [unowned self] in endSource() }
        }
    }

    private func endSource() {
        if let readingSource { sources.remove(readingSource) }
        readingSource = nil
    }

    /// Takes the memory from the file; returns false while the disk does not answer.
    private func adopt() -> Bool {
        guard let reading, reading.wait(0) else { return false }
        memory = reading.contents.flatMap { SlideshowMemory($0) } ?? SlideshowMemory()
        written = memory
        setReading(nil)
        return true
    }

    /// Takes the memory from a slow disk, and gives it to the browser; returns whether the memory has
    /// come.
    func receive(for browser: inout BrowserModel) -> Bool {
        guard adopt() else { return false }
        if let progress = memory.progress { browser.viewer.restoreSlides(progress) }
        return true
    }

    /// Whether the memory of the album is still being read.
    var isReading: Bool { reading != nil }

    /// The index of the picture that was shown last; nil if it is not listed, and if files were given.
    var place: Int? {
        guard let place = memory.place, let first = album.listing.entries.first,
            !album.listing.folders[first.folder].isGivenFile
        else { return nil }
        return album.listing.keys.firstIndex(of: place)
    }

    /// Tells the browser about the pictures, if their order is by chance.
    func listingChanged(for browser: inout BrowserModel) {
        let settings = browser.viewer.settings.slideshow
        guard settings.order == .shuffle else { return }
        browser.viewer.setSlideCards(
            SlideCards(album.listing, settings.weights, isComplete: album.isComplete))
    }

    // MARK: Remembering

    /// Notes the picture that a slideshow shows.
    func follow(_ browser: BrowserModel, at moment: Moment) {
        guard !isReading, browser.viewer.playsSlideshow, browser.viewer.hasPicture,
            let index = browser.shownPicture(of: album.count)
        else { return }
        let place = album.listing.key(at: index)
        let progress = browser.viewer.slideProgress ?? memory.progress
        guard place != memory.place || progress?.rank != memory.progress?.rank else { return }
        memory.place = place
        memory.progress = progress
        guard lastWrite.map({ $0.advanced(byMilliseconds: Self.pause) <= moment }) ?? true else {
            return
        }
        write(at: moment)
    }

    private var deadline: Moment? {
        file == nil || memory == written ? nil : lastWrite?.advanced(byMilliseconds: Self.latest)
    }

    private func write(at moment: Moment) {
        lastWrite = moment
        // What a slow disk has not written yet is written with a later change.
        if !disk.isBusy { write() }
    }

    private func write() {
        guard memory != written, let file, let bytes = memory.bytes else { return }
        written = memory
        disk.add {
            do throws(SystemError) {
                try file.write(bytes)
                file.removeOldest(keeping: Self.most)
            } catch {
                Diagnostics.info("the place in the slideshow cannot be remembered: \(error)")
            }
        }
    }

    /// Writes what has changed since the last write.
    func finish() { write() }
}

extension StateFile {
    /// Removes the files of the folder that were written longest ago.
    func removeOldest(keeping most: Int) {
        guard let stream = folder.bytes.withPathString({ opendir($0) }) else { return }
        defer { closedir(stream) }
        var files: [(path: FilePath, time: Int)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let path = folder.appending(name)
            var info = stat()
            guard path.withCString({ lstat($0, &info) }) == 0, info.isRegularFile
            else { continue }
            files.append((path, info.st_mtim.tv_sec))
        }
        guard files.count > most else { return }
        for file in files.sorted(by: { $0.time < $1.time }).prefix(files.count - most) {
            _ = file.path.withCString { unlink($0) }
        }
    }
}
