import CText
package import Geometry
import Glibc
import Localization
package import SceneModel
import Synchronization
import Threads

/// Lays out and paints text by Pango, which is opened with the first text.
///
/// Any thread may use an engine.
package final class TextEngine: TextMeasurer {
    /// Why texts cannot be shown.
    package enum Problem: Sendable {
        case noLibrary, noFont, noThread

        package var message: String {
            switch self {
            case .noLibrary: localized("texts are shown in plain letters: Pango is not installed")
            case .noFont: localized("texts are shown in plain letters: no fonts are installed")
            case .noThread: localized("texts are shown in plain letters: no thread can be started")
            }
        }
    }

    private struct Key: Hashable {
        var text: String
        var style: TextStyle
        var width: Double?
    }

    /// The layouts of one engine, and the lock of all layouts together: they share a font map.
    ///
    /// `@unchecked Sendable`: the layouts are used only inside `TextEngine.lock`.
    private final class Layouts: @unchecked Sendable {
        /// Layouts that were used since the last change of generations.
        var young: [Key: TextLayout] = [:]
        var old: [Key: TextLayout] = [:]

        deinit { TextEngine.lock.withLock { _ in (young, old) = ([:], [:]) } }
    }

    private let layouts = Layouts()
    private static let lock = Mutex(())
    /// The language tag of the desktop, by which Han characters get their national form.
    private let language: String?
    /// As many layouts as a screen shows, with a margin.
    private static let generation = 256

    private let report: @Sendable (Problem) -> Void
    private let isReported = Atomic(false)
    private let opening = FontOpening()

    /// `report` is called at most once, on any thread; `language` is a language tag such as "ja".
    package init(
        language: String? = nil, report: @escaping @Sendable (Problem) -> Void = { _ in }
    ) {
        self.language = language
        self.report = report
    }

    /// Opens Pango and looks for fonts, which takes some 10 ms the first time.
    func open() {
        let problem: Problem? =
            switch ctext_open() {
            case CTEXT_NO_LIBRARY: .noLibrary
            case CTEXT_NO_FONT: .noFont
            case CTEXT_NO_THREAD: .noThread
            default: nil
            }
        guard let problem, !isReported.exchange(true, ordering: .relaxed) else { return }
        report(problem)
    }

    /// Lets texts wait for the first fonts only for a moment from now on.
    ///
    /// Fonts may lie in a home folder that does not answer. Texts are then in plain letters until the
    /// fonts have been found.
    package func limitWaits() { opening.limitWaits() }

    /// Opens Pango, and looks for the fonts of these styles, which takes some 10 ms for each of them.
    ///
    /// Returns whether texts were in plain letters meanwhile, so that they have to be laid out anew.
    package func prepare(_ styles: [TextStyle]) -> Bool {
        opening.run {
            // The fonts of other scripts are looked for with their first letters.
            for style in styles {
                Self.lock.withLock { _ in _ = layout(Key(text: "Ag 0", style: style)) }
            }
        }
        return opening.takeSubstitution()
    }

    /// Changes when texts that were in plain letters have to be painted anew.
    package var edition: Int { opening.edition }

    package func measure(_ text: String, _ style: TextStyle, width: Double?) -> TextExtents {
        withLayout(text, style, width) { $0?.extents ?? PlainText.measure(text, style, width) }
    }

    /// Paints a text in the source colour of a context, in whose user units all lengths are.
    ///
    /// `origin` is the upper left corner of the extents that `measure` returns.
    package func paint(
        _ text: String, _ style: TextStyle, width: Double?, at origin: Point,
        into cairo: OpaquePointer
    ) {
        withLayout(text, style, width) { layout in
            guard let layout else {
                return PlainText.paint(text, style, width, at: origin, into: cairo)
            }
            layout.paint(at: origin, into: cairo)
        }
    }

    private func withLayout<Result>(
        _ text: String, _ style: TextStyle, _ width: Double?, _ body: (TextLayout?) -> Result
    ) -> Result {
        let key = Key(text: text, style: style, width: width)
        let mayLayOut = opening.wait { [self] in Self.lock.withLock { _ in open() } }
        guard mayLayOut else { return body(nil) }
        return Self.lock.withLock { _ in body(layout(key)) }
    }

    private func layout(_ key: Key) -> TextLayout? {
        if let layout = layouts.young[key] { return layout }
        open()
        let known = layouts.old[key]
        guard
            let layout = known
                ?? TextLayout(key.text.display, key.style, width: key.width, language: language)
        else { return nil }
        if layouts.young.count >= Self.generation {
            (layouts.old, layouts.young) = (layouts.young, [:])
        }
        layouts.young[key] = layout
        return layout
    }
}
