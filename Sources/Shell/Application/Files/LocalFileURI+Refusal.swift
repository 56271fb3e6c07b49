import Desktop
import Localization
import SceneModel

extension LocalFileURI {
    /// Why a URI is not opened, for the user; `uri` names no file of this computer.
    static func refusal(of uri: String) -> String {
        let text = String(uri.prefix(200)).isolated
        do throws(Refusal) { _ = try read(Array(uri.utf8)) } catch .damaged {
            return localized("\(text): the address of the file is damaged")
        } catch {}
        return localized("\(text): not a file of this computer")
    }
}
