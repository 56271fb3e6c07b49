import DecodeClient
import Desktop
import Folders
import Geometry
import Localization
import SceneModel
import SystemCalls
import WaylandClient

/// The clipboard, and drag and drop, of a window: files and pictures in their exchange with other
/// programs.
final class Clipboard {
    /// What another program has sent.
    enum Content {
        case files([FilePath], isCut: Bool)
        /// A picture in memory, sealed against every change, with its MIME type.
        case image(OwnedDescriptor, type: String)
    }

    /// What happens while another program's files or pictures are dragged over the window.
    enum Drop {
        /// At a point of the surface, in logical pixels.
        case entered(Point)
        case moved(Point)
        case left
        /// `copies` says whether the person wants to copy the files to here, and not to open them.
        case dropped(Content, at: Point, copies: Bool)
    }

    private let exchange: DataExchange
    private weak var window: Window?
    private let environment: DecoderEnvironment
    /// The number of the seat of the last input.
    private let seat: () -> Int

    /// Whether something is dragged over the window that can be dropped.
    var showsDropHighlight = false
    /// Called with drags of other programs over the window; nil accepts none.
    var onDrop: ((Drop) -> Void)? {
        didSet {
            window?.onDrop = onDrop == nil ? nil : { [unowned self] in receive($0) }
        }
    }
    /// Says whether the window's own pictures can be dropped at a point of the surface, in logical pixels.
    var wantsOwnDrop: ((Point) -> Bool)? {
        didSet { window?.wantsOwnDrop = wantsOwnDrop }
    }
    /// Called with a message for the person, such as why nothing was pasted.
    var onMessage: (String) -> Void = { _ in }

    init(
        _ exchange: DataExchange, _ window: Window, _ environment: DecoderEnvironment,
        seat: @escaping () -> Int
    ) {
        self.exchange = exchange
        self.window = window
        self.environment = environment
        self.seat = seat
        exchange.choose = DataWant.choose
        exchange.isUseful = \.namesPicture
    }

    /// Whether the compositor offers a clipboard and drags.
    var isAvailable: Bool { exchange.isAvailable }

    // MARK: Out

    /// Offers files in the clipboard, a single one with its picture; returns false if that cannot be.
    func copy(_ paths: [FilePath]) -> Bool {
        !paths.isEmpty && exchange.copy(content(of: paths), seat: seat())
    }

    /// Offers a text in the clipboard; returns false if that cannot be.
    func copy(text: String) -> Bool {
        let content = DataContent(types: [FileList.text, "text/plain", "UTF8_STRING"]) { _, send in
            send(.bytes(Array(text.utf8)))
        }
        return exchange.copy(content, seat: seat())
    }

    /// Drags files to another program with the finger or the button that is down.
    ///
    /// `onEnd` is called when the drag is over, with whether the other program has taken the files.
    func beginDrag(_ paths: [FilePath], icon: DragIcon?) -> Bool {
        guard let window, !paths.isEmpty else { return false }
        return exchange.beginDrag(
            content(of: paths), [.copy, .ask], icon: icon, from: window, seat: seat()
        ) { _ in }
    }

    private func content(of given: [FilePath]) -> DataContent {
        let paths = given.map { FilePath($0.absolute) }
        var types = [FileList.uris, FileList.gnome, FileList.text]
        guard paths.count == 1 else {
            return DataContent(types: types) { type, send in
                send(FileList.bytes(of: paths, as: type).map { .bytes($0) })
            }
        }
        let own = PictureCopy.type(of: paths[0])
        types += [own, PictureCopy.png].compactMap(\.self)
        let picture = PictureCopy(paths[0], environment)
        return DataContent(types: types) { type, send in
            if let bytes = FileList.bytes(of: paths, as: type) { return send(.bytes(bytes)) }
            if type == own { return picture.sendFile(send) }
            picture.sendPNG(send)
        }
    }

    // MARK: In

    /// Reads a selection; `onEnd` is called at once or later, and not at all if there is a message.
    ///
    /// There is no message for a primary selection that is no picture: a text is selected most of the
    /// time.
    func paste(_ selection: Selection = .clipboard, onEnd: @escaping (Content) -> Void) {
        exchange.paste(selection, seat: seat()) { [weak self] in
            switch $0 {
            case .failure(.empty) where selection == .primary: return
            case .failure(.unusable) where selection == .primary: return
            default: break
            }
            if let content = self?.content($0) { onEnd(content) }
        }
    }

    private func receive(_ event: DropEvent) {
        switch event {
        case .entered(let point): onDrop?(.entered(point))
        case .moved(let point): onDrop?(.moved(point))
        case .left: onDrop?(.left)
        case .dropped(let outcome, let point, let copies):
            guard let content = content(outcome) else { return }
            onDrop?(.dropped(content, at: point, copies: copies))
        }
    }

    /// The received content; nil, after a message, if the viewer cannot use it.
    private func content(_ outcome: Result<ReceivedData, DataFailure>) -> Content? {
        switch outcome {
        case .failure(let failure):
            onMessage(failure.text)
            return nil
        case .success(let data):
            switch data.contents {
            case .memory(let descriptor): return .image(descriptor, type: data.type)
            case .bytes(let bytes): return files(FileList.parse(bytes, as: data.type))
            }
        }
    }

    private func files(_ received: FileList.Received?) -> Content? {
        guard let received else {
            onMessage(localized("more than \(FileList.most) files at once are refused"))
            return nil
        }
        if let first = received.refused.first {
            let others = received.refused.count - 1
            let refusal = LocalFileURI.refusal(of: first)
            onMessage(
                others > 0
                    ? localized(
                        "\(refusal), and \(others) more", many: "\(refusal), and \(others) more",
                        count: others)
                    : refusal)
        } else if received.paths.isEmpty {
            onMessage(DataFailure.noData.text)
        }
        return received.paths.isEmpty ? nil : .files(received.paths, isCut: received.isCut)
    }
}

extension DataFailure {
    /// What a person has to know.
    fileprivate var text: String {
        switch self {
        case .empty: localized("there is nothing to paste")
        case .unusable: localized("there are neither files nor a picture to paste")
        case .noAnswer: localized("the other program does not send its data")
        case .noData: localized("the other program has sent no data")
        case .tooLarge(let limit):
            localized("the other program has sent more than \(limit >> 20) MiB")
        case .tooMany: localized("too many other programs are sending data")
        case .system(let error):
            localized("the data cannot be received: \(error.description)")
        }
    }
}
