import Desktop
import Folders
import Glibc
import Localization

/// The folders from which a person begins to choose one.
enum FolderPlaces {
    struct Place: Hashable, Sendable {
        var title: String
        var path: FilePath
    }

    /// The home folder, pictures, drives and the root; waits for the file system.
    static func all() -> [Place] {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        var places: [Place] = []
        func add(_ title: String, _ path: FilePath) {
            if path.withCString({ access($0, R_OK | X_OK) }) == 0 {
                places.append(Place(title: title, path: path))
            }
        }
        if let home = variable("HOME"), home.hasPrefix("/") {
            add(localized("Home folder"), FilePath(home))
        }
        if let pictures = UserFolders.pictures(isFolder: { _ in true }) {
            add(localized("Pictures"), pictures)
        }
        let user = variable("USER") ?? ""
        for parent in ["/run/media/\(user)", "/media/\(user)"] where !user.isEmpty {
            let drives = FolderList(reading: FilePath(parent))
            for drive in drives.folders { add(drive.title, drive.path) }
        }
        add(localized("File system"), FilePath("/"))
        return places
    }
}
