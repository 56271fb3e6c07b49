import Browser
import Folders
import Localization
import Settings
import SystemCalls
import TOML
import Viewer

/// Stores what a person chooses in the menus in the settings file of the user, which keeps its comments.
///
/// A kiosk, and a run with settings of its own, choose for themselves only.
final class ChosenSettings {
    /// What the menus choose.
    struct Choices: Equatable {
        var keepZoom: Bool
        var checkerboard: Bool
        var order: ListingOrder

        /// The settings that differ from those of other choices.
        func settings(differingFrom other: Choices) -> [(name: String, value: TOMLValue)] {
            var settings: [(name: String, value: TOMLValue)] = []
            if keepZoom != other.keepZoom { settings.append(("viewer.keep_zoom", .flag(keepZoom))) }
            if checkerboard != other.checkerboard {
                settings.append(("viewer.checkerboard", .flag(checkerboard)))
            }
            if order.key.name != other.order.key.name {
                settings.append(("collection.sort", .string(order.key.name)))
            }
            if order.isReversed != other.order.isReversed {
                settings.append(("collection.descending", .flag(order.isReversed)))
            }
            return settings
        }
    }

    private unowned let session: Session
    private let folder: FilePath
    private let disk = DiskWork()
    /// What was chosen at the last look.
    private var known: Choices

    /// Nil where nothing is stored.
    init?(_ options: Options, _ session: Session) {
        guard let folder = options.configFolder, !options.isKiosk, options.configFile == nil else {
            return nil
        }
        self.session = session
        self.folder = folder
        known = session.choices
    }

    /// Takes the present choices for those of the settings.
    func accept() { known = session.choices }

    /// Stores what a person has chosen since the last look.
    ///
    /// A setting of the command line is for this run, so that another choice is, too.
    func store(_ options: inout Options) {
        let choices = session.choices
        guard choices != known else { return }
        let changed = choices.settings(differingFrom: known)
        known = choices
        if case .random = choices.order.key {
            // The file that is read again does not shuffle again.
            options.collection.order.key = choices.order.key
            session.options.collection.order.key = choices.order.key
        }
        for (name, value) in changed where !options.overrides.contains(where: { $0.name == name }) {
            disk.add { [folder] in
                do throws(SettingsFiles.StoreError) {
                    try SettingsFiles.store(name, value, in: folder)
                } catch {
                    Diagnostics.warning(localized("\(name) cannot be stored: \(error.reason)"))
                }
            }
        }
    }

    /// Waits for a disk that answers soon.
    func finish() { disk.finish() }
}

extension Session {
    /// What the menus have chosen.
    var choices: ChosenSettings.Choices {
        ChosenSettings.Choices(
            keepZoom: browser.viewer.settings.keepZoom,
            checkerboard: browser.viewer.settings.checkerboard, order: album.options.order)
    }
}

extension SettingsFiles.StoreError {
    fileprivate var reason: String {
        switch self {
        case .failed(let error): "\(error)"
        case .noPlace: localized("config.toml has no place for it")
        case .untrusted: localized("others can change config.toml; see chmod go-w")
        }
    }
}
