import Catalogues
import DecodeClient
import Folders
import ImageService
import ImageTypes
import Interface

/// Follows the selected picture with the facts of the information panel, and with the text that stands for
/// the picture.
final class InformationLoader {
    private let album: Album
    private let environment: DecoderEnvironment
    /// The stars that the sidecar of a picture says, by the id of the picture.
    private let starsInSidecar: (Int) -> Int?
    /// Nil while the panel is closed.
    private var reader: InformationReader?
    /// The picture that the panel describes; the path is nil for standard input.
    private var picture: (id: Int, path: FilePath?)?

    /// Called with the facts of another picture (`isOther`), and with all facts of the same one.
    var onFacts: (Information.Facts, _ isOther: Bool) -> Void = { _, _ in }

    init(
        _ album: Album, _ environment: DecoderEnvironment, starsInSidecar: @escaping (Int) -> Int?
    ) {
        self.album = album
        self.environment = environment
        self.starsInSidecar = starsInSidecar
    }

    /// The alternative text of the picture, in the language of the person if the file has it.
    private(set) var alternativeText: String?

    /// The stars of the sidecar that the panel shows.
    private var shownStars: Int?

    /// Whether the facts of the picture are being read.
    var isBusy: Bool { reader?.isBusy == true }

    /// Reads the facts of the picture at `index`, unless they are known; nil closes the panel.
    func show(_ index: Int?) {
        guard let index else { return close() }
        let id = album.id(index)
        // A picture from standard input has no path.
        let path = album.entry(id)?.descriptor == nil ? album.path(id) : nil
        if let picture, picture == (id, path) { return }
        picture = (id, path)
        let reader = reader ?? makeReader()
        let facts = Information.Facts(
            name: album.title(index), folder: path.map(Self.folder) ?? "")
        reader.read(id, facts)
        receive(reader.facts, isOther: true)
    }

    /// Where the picture was taken; nil if unknown.
    var position: PictureMetadata.Position? { reader?.facts.metadata.position }

    /// Shows what has become known about the marks of the picture.
    func updateMarks() {
        guard let reader, let picture, shownStars != starsInSidecar(picture.id) else { return }
        receive(reader.facts, isOther: false)
    }

    /// Drops the facts if they are of one of these pictures, whose files have changed.
    func forget(_ ids: Set<Int>) {
        if let picture, ids.contains(picture.id) { close() }
    }

    /// Also ends the reader's decoder.
    private func close() { (reader, picture, alternativeText) = (nil, nil, nil) }

    private func receive(_ facts: Information.Facts, isOther: Bool) {
        alternativeText = facts.metadata.alternativeText(in: Languages.ofEnvironment ?? ["en"])
        var facts = facts
        let taken = facts.metadata.entries.first { $0.label == Information.takenLabel }
        facts.taken = taken.flatMap { DateFormat.environment?.text(metadata: $0.value) }
        facts.createdText = facts.created.flatMap(Self.text)
        facts.modifiedText = facts.modified.flatMap(Self.text)
        shownStars = picture.flatMap { starsInSidecar($0.id) }
        facts.stars = shownStars
        onFacts(facts, isOther)
    }

    /// A time since 1970 in seconds, on the clock of this machine.
    private static func text(_ seconds: Int) -> String? {
        DateFormat.environment?.text(local: Timestamp(seconds: seconds))
    }

    private func makeReader() -> InformationReader {
        let reader = InformationReader(environment, files: album)
        reader.onEnd = { [unowned self, unowned reader] in receive(reader.facts, isOther: false) }
        self.reader = reader
        return reader
    }

    /// The absolute path of the folder, without the trailing separator.
    static func folder(of path: FilePath) -> String {
        var folder = FilePath(path.parentPrefix).absolute
        if folder.count > 1 { folder.removeLast() }
        return String(decoding: folder, as: UTF8.self)
    }
}
