import Localization

/// Which names files and folders can have.
enum NameRules {
    /// Why a name cannot be given, as a sentence; nil for a name that can.
    static func refusal(of name: String) -> String? {
        if name.isEmpty || name == "." || name == ".." {
            return localized("A file needs a name.")
        }
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else { return nil }
        return localized("A name cannot contain “/”.")
    }
}
