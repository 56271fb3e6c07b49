import Browser
import EventLoop
import Folders
import Interface
import Localization
import Motion
import Settings
import Synchronization
import SystemCalls
import TOML
import Threads
import Viewer

/// Stores what a person chooses in the menus and on the settings page.
///
/// The settings file of the user keeps its comments.
///
/// A kiosk, and a run with settings of its own, choose for themselves only.
final class ChosenSettings {
    private unowned let session: Session
    let folder: FilePath
    private let disk = DiskWork()
    private let backgroundJobs: BackgroundJobs
    private let outcomes = Outcomes()
    /// Changes of the settings page that the files may not have yet.
    private var pending: [Pending] = []
    /// After this time, in seconds, files that are read are newer than a setting that was stored.
    private static let longestReading = 10.0
    /// Why the file cannot be changed, as far as is known; nil if it can.
    private(set) var obstacle: String?

    /// Nil where nothing is stored.
    init?(_ options: Options, _ session: Session) {
        guard let folder = options.settingSources.ownFolder, !options.isKiosk else {
            return nil
        }
        self.session = session
        self.folder = folder
        backgroundJobs = BackgroundJobs(session.sources)
        _ = session.sources.add(descriptor: outcomes.arrived.descriptor) { [unowned self] in
            handleOutcomes()
        }
    }

    /// Stores settings that a person has changed, which the options have already.
    func store(_ settings: [StoredSetting]) {
        for (name, value) in settings {
            pending.removeAll { $0.name == name }
            pending.append(Pending(name: name, value: value))
        }
        write(settings)
    }

    /// Writes settings to the file; a message names settings that could not be stored.
    private func write(_ settings: [StoredSetting]) {
        guard !settings.isEmpty else { return }
        disk.add { [folder, outcomes] in
            for (name, value) in settings {
                do throws(SettingsFiles.StoreError) {
                    try SettingsFiles.store(name, value, in: folder)
                    outcomes.add(Outcome(name: name, value: value, problem: nil))
                } catch {
                    outcomes.add(
                        Outcome(
                            name: name, value: value,
                            problem: localized("\(name) cannot be stored: \(error.reason)")))
                }
            }
        }
    }

    /// Keeps settings that are being stored in options that were read from the files, which may be older.
    func keepPending(in options: inout Options, at moment: Moment) {
        pending.removeAll { setting in
            setting.storedAt.map { moment.seconds(since: $0) > Self.longestReading } ?? false
        }
        // In the order of the changes: a key is taken from a command before another one gets the key.
        for setting in pending { try? options.values.set(Setting(setting.name, setting.value)) }
        // The next time, the files have it, or what somebody has written since.
        pending.removeAll { $0.storedAt != nil }
    }

    private func handleOutcomes() {
        for outcome in outcomes.take() {
            let place = pending.firstIndex {
                $0.name == outcome.name && $0.value == outcome.value
            }
            if let place {
                if outcome.problem == nil {
                    pending[place].storedAt = session.now()
                } else {
                    pending.remove(at: place)
                }
            }
            guard let problem = outcome.problem else { continue }
            Diagnostics.warning(problem)
            session.browser.show(Toast(problem), at: session.now())
        }
    }

    /// Finds out whether the file can be changed, and then calls `onEnd` if that is news.
    func findObstacle(_ onEnd: @escaping () -> Void) {
        _ = backgroundJobs.run { [folder] in
            SettingsFiles.obstacle(in: folder).map {
                localized("config.toml cannot be changed: \($0.reason)")
            }
        } then: { [unowned self] found in
            guard found != obstacle else { return }
            obstacle = found
            onEnd()
        }
    }

    /// Waits for a disk that answers soon.
    func finish() {
        disk.finish()
        handleOutcomes()
    }
}

/// A setting in the form of a settings file.
typealias StoredSetting = (name: String, value: TOMLValue)

extension ChosenSettings {
    /// A setting on its way to the file.
    private struct Pending {
        let name: String
        let value: TOMLValue
        /// When the file had the setting; nil before.
        var storedAt: Moment?
    }

    /// What came of storing a setting.
    private struct Outcome: Sendable {
        let name: String
        let value: TOMLValue
        /// Why the setting could not be stored; nil if it was.
        let problem: String?
    }

    /// Outcomes on their way from the thread of the disk to the main thread.
    private final class Outcomes: Sendable {
        let arrived = Wakeup()
        private let all = Mutex<[Outcome]>([])

        func add(_ outcome: Outcome) {
            all.withLock { $0.append(outcome) }
            arrived.raise()
        }

        func take() -> [Outcome] {
            arrived.lower()
            return all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }
}

extension SettingsFiles.StoreError {
    fileprivate var reason: String {
        switch self {
        case .failed(let error): "\(error)"
        case .noPlace: localized("config.toml has no place for it")
        case .untrusted(.writable): localized("others can change config.toml; see chmod go-w")
        case .untrusted(.foreign(let owner)):
            localized(
                "config.toml belongs to \(owner); take it over with chown, or start vitrine as its "
                    + "owner")
        case .untrusted(.unmapped):
            localized("the owner of config.toml is unknown in this user namespace")
        }
    }
}
