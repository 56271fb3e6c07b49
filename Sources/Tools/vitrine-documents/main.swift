import Application
import Bridge
import Glibc
import ImageTypes

// Prints a document that is generated from the tables of the program. The argument is `manual`
// (sections of the man page), `bash`, `zsh` or `fish` (completions), with `mqtt-` in front for
// vitrine-mqtt, or `types` (the MIME types of all formats, as in a desktop entry).
// meson-helpers/install/documents writes the output to Sources/Distribution.

let documents: [String: () -> String] = [
    "manual": { InstalledDocuments.manualSections },
    "bash": { InstalledDocuments.bashCompletion },
    "zsh": { InstalledDocuments.zshCompletion },
    "fish": { InstalledDocuments.fishCompletion },
    "mqtt-manual": { BridgeDocuments.manualSections },
    "mqtt-bash": { BridgeDocuments.bashCompletion },
    "mqtt-zsh": { BridgeDocuments.zshCompletion },
    "mqtt-fish": { BridgeDocuments.fishCompletion },
    "types": { PictureFormat.all.flatMap(\.mimeTypes).map { $0 + ";" }.joined() },
]
guard let document = documents[CommandLine.arguments.dropFirst().first ?? ""] else {
    print("usage: vitrine-documents \(documents.keys.sorted().joined(separator: "|"))")
    exit(2)
}
print(document(), terminator: "")
