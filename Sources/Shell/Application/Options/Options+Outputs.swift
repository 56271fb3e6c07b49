import Folders
import Kiosk
import Localization

/// The outputs of a kiosk.
extension Options {
    /// The outputs that were named, in their order; empty for every output.
    var namedOutputs: [String] {
        guard outputs.isEmpty else { return outputs }
        let names = values.kiosk.outputs.names
        // Without other names the outputs beside the canvas have windows of their own.
        return names.isEmpty ? [] : names + values.kiosk.canvas.names.filter { !names.contains($0) }
    }

    var namesOutputs: Bool { !namedOutputs.isEmpty }

    /// The indices of the outputs that show pictures, in the order of their names in the options.
    func kioskOutputs(of names: [String]) -> [Int] {
        guard namesOutputs else { return Array(names.indices) }
        return namedOutputs.flatMap { name in names.indices.filter { names[$0] == name } }
    }

    /// The options for the window on an output; nil for a window that the compositor has placed.
    func adapted(to output: String?) -> Options {
        guard isKiosk, let folder = output.flatMap({ values.kiosk.outputs.folder(of: $0) }) else {
            return self
        }
        var options = self
        options.paths = [FilePath(folder)]
        return options
    }

    /// Reads the names of `--output`.
    mutating func addOutputs(_ text: String) throws(UsageError) {
        for name in text.split(separator: ",").map(String.init) where !outputs.contains(name) {
            outputs.append(name)
        }
        guard !outputs.isEmpty, outputs.count <= KioskOutputs.most else {
            throw UsageError(
                reason: localized("--output takes 1 to \(KioskOutputs.most) names, not “\(text)”"))
        }
    }
}
