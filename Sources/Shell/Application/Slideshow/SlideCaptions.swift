import Browser
import DecodeClient
import Folders
import ImageService
import Interface
import Viewer

/// The captions of a slideshow: of the picture that is shown, and of the next one before its time.
final class SlideCaptions {
    private struct Known {
        let revision: Int
        let facts: Information.Facts
        let hasMetadata: Bool
        /// Nil until it is made, with its fields and its date.
        var caption: (caption: Caption, fields: [Caption.Field], date: String)?
    }

    private let album: Album
    private let environment: DecoderEnvironment
    /// When a picture was taken, as text, by its id; nil while that is unknown.
    private let date: (Int) -> String?
    /// The metadata that was read, by the ids of the pictures.
    private var known: [Int: Known] = [:]
    /// Nil until the metadata of a picture is needed.
    private var reader: InformationReader?
    /// The picture that is being read.
    private var reading: (id: Int, revision: Int)?

    /// Called when the metadata of a picture has been read.
    var onRead: () -> Void = {}

    init(
        _ album: Album, _ environment: DecoderEnvironment, date: @escaping (Int) -> String?
    ) {
        self.album = album
        self.environment = environment
        self.date = date
    }

    var isBusy: Bool { reading != nil && reader?.isBusy == true }

    /// Gives the viewer the known captions, and reads the missing ones.
    func update(_ browser: inout BrowserModel) {
        let wanted = browser.viewer.captioned.filter { $0 < album.count }
        guard !wanted.isEmpty else { return close() }
        let fields = browser.viewer.settings.slideshow.caption
        let ids = Set(wanted.map { album.id($0) })
        known = known.filter { ids.contains($0.key) }
        for index in wanted {
            guard let caption = caption(at: index, fields) else { continue }
            let shown = browser.viewer.caption(of: index)
            if caption != shown, shown != nil || !caption.isEmpty {
                browser.viewer.setCaption(caption, of: index)
            }
        }
    }

    /// The caption of a picture; nil while its metadata is being read.
    private func caption(at index: Int, _ fields: [Caption.Field]) -> Caption? {
        let id = album.id(index)
        guard let entry = album.entry(id) else { return nil }
        let needsMetadata = fields.contains(where: \.isMetadata)
        let isKnown = known[id].map {
            $0.revision == entry.revision && ($0.hasMetadata || !needsMetadata)
        }
        if isKnown != true { read(id, entry, index, needsMetadata) }
        guard let facts = known[id]?.facts else { return nil }
        let date = date(id) ?? ""
        if let made = known[id]?.caption, made.fields == fields, made.date == date {
            return made.caption
        }
        let caption = Caption(fields, facts, date: date)
        known[id]?.caption = (caption, fields, date)
        return caption
    }

    /// Starts reading a picture, unless another one is being read.
    private func read(_ id: Int, _ entry: Entry, _ index: Int, _ needsMetadata: Bool) {
        known[id] = nil
        let path = entry.descriptor == nil ? album.path(id) : nil
        let facts = Information.Facts(
            name: album.title(index),
            folder: path.map { InformationLoader.folder(of: $0) } ?? "")
        guard needsMetadata else {
            known[id] = Known(revision: entry.revision, facts: facts, hasMetadata: false)
            return
        }
        guard reading == nil else { return }
        let reader = reader ?? makeReader()
        reading = (id, entry.revision)
        reader.read(id, facts)
        if !reader.isBusy { finish() }
    }

    private func makeReader() -> InformationReader {
        let reader = InformationReader(environment, files: album)
        reader.onEnd = { [unowned self] in
            finish()
            onRead()
        }
        self.reader = reader
        return reader
    }

    private func finish() {
        guard let reading, let reader else { return }
        self.reading = nil
        known[reading.id] = Known(
            revision: reading.revision, facts: reader.facts, hasMetadata: true)
    }

    /// Also ends the reader's decoder.
    private func close() {
        guard reader != nil || !known.isEmpty else { return }
        (reader, reading, known) = (nil, nil, [:])
    }
}
