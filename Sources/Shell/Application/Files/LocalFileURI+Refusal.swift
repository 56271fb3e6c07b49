import Desktop
import Localization
import SceneModel

extension LocalFileURI {
    /// The most characters of a URI in a message; a letter of a name may take six and more of them.
    private static let longest = 80

    /// The URI for a message; a long URI loses its middle.
    static func shown(_ uri: String) -> String { uri.withoutMiddle(beyond: longest).isolated }

    /// Why a URI is not opened, for the user; `uri` names no file of this computer.
    static func refusal(of uri: String) -> String {
        let text = shown(uri)
        do throws(Refusal) { _ = try read(Array(uri.utf8)) } catch .damaged {
            return localized("\(text): the address of the file is damaged")
        } catch {}
        return localized("\(text): not a file of this computer")
    }
}
