import Interface
import Localization
package import Motion
import SceneModel

/// Pictures that are brighter than white.
extension ViewerModel {
    /// Notes that the gain plane of a picture is there.
    package mutating func light(_ picture: Int, at moment: Moment) {
        lights.arrive(picture, at: moment, isStill: settings.reducedMotion)
    }

    /// Whether the shown picture has a gain plane.
    var isLit: Bool { pager.picture.map { lights.has($0.source.picture) } ?? false }

    /// Shows pictures brighter than white, or no more, and says so.
    mutating func toggleLight(at moment: Moment) {
        lights.toggle(at: moment, isStill: settings.reducedMotion)
        chrome.show(
            message: lights.isOn
                ? localized("HDR pictures are as bright as the screen can show")
                : localized("HDR pictures are no brighter than white"), at: moment)
    }

    /// Forgets the gain planes of all other pictures.
    package mutating func keepLights(of pictures: Set<Int>) { lights.keepOnly(pictures) }

    /// The items with the light of their pictures, as far as the viewer covers the grid.
    ///
    /// Thumbnails, blurred margins and tiles stay as they are without headroom.
    func lit(_ items: [SceneItem], at moment: Moment) -> [SceneItem] {
        guard !lights.isEmpty else { return items }
        let cover = backdropOpacity(at: moment)
        return items.map { item in
            guard case .picture(var picture) = item, picture.source.kind == .picture else {
                return item
            }
            picture.light = lights.share(of: picture.source.picture, at: moment) * cover
            return .picture(picture)
        }
    }
}
