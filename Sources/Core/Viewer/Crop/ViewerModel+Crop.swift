import CMath
import Commands
import Edits
import Geometry
import Interface
import Localization
import Motion
import SceneModel

/// A crop that is being made, and what surrounds it in the viewer.
struct CropMode: Hashable, Sendable {
    var model: CropModel
    /// The opacity of frame and dimmed outside.
    var reveal: ScalarMotion
    var method = CropSave.Method.exact
}

/// Crop mode: how it begins and ends, and what is shown.
extension ViewerModel {
    /// Whether the picture is being cropped.
    package var isCropping: Bool { !$crop.isNil }

    /// Sets the blocks in which the file of the selected picture is coded; nil for a file that cannot be
    /// cropped without loss.
    package mutating func setCropBlocks(_ blocks: CropBlocks?) {
        cropBlocks = blocks
        if blocks == nil { crop?.method = .exact }
    }

    // MARK: Begin and end

    /// Begins to crop the selected picture, which moves into the frame from where it is.
    mutating func beginCrop(at moment: Moment) {
        guard crop == nil else { return }
        guard let picture = pager.picture, hasPicture, pager.page == index else {
            return chrome.show(Toast(localized("this picture cannot be cropped")), at: moment)
        }
        guard playback == nil else {
            return chrome.show(Toast(localized("an animation cannot be cropped")), at: moment)
        }
        let least = CropModel.smallestPicture
        guard min(picture.size.width, picture.size.height) >= least else {
            return chrome.show(
                Toast(localized("the picture is too small to be cropped")), at: moment)
        }
        stopSlideshow()
        let now = placement(at: moment) ?? fitOfCurrentPage
        let turns = Int(clamping: (pager.rotation(of: index) / (.pi / 2)).rounded())
        pager.centerPage()
        zoomPan.rest(at: fitOfCurrentPage)
        fade(to: 1, at: moment)
        cell.removeCrop()
        chrome.hideInformation(at: moment)
        hideChrome(at: moment)
        chrome.keepBars(true, at: moment)
        var model = CropModel(
            picture: picture.size, turns: turns, area: CropBars(chrome.layout).frameArea,
            reducesMotion: settings.reducedMotion)
        let rotation = now.rotation - Double(turns) * .pi / 2
        model.arrive(
            from: .init(center: now.center, zoom: now.zoom, rotation: rotation), at: moment)
        let isSudden = settings.reducedMotion
        crop = CropMode(
            model: model,
            reveal: isSudden
                ? .still(1)
                : .spring(Spring(from: 0, to: 1, at: moment, frequency: Spring.zoomFrequency)))
    }

    /// Ends crop mode; the picture returns to fit from where it is.
    mutating func endCrop(at moment: Moment) {
        guard let crop else { return }
        let turn = crop.model.turn
        let view = crop.model.view(at: moment)
        self.crop = nil
        chrome.keepBars(false, at: moment)
        guard pager.picture != nil else { return }
        var start = view.placement
        let rest = fitOfCurrentPage
        start.rotation += Double(turn.clockwiseTurns) * .pi / 2
        let full = 2 * Double.pi
        start.rotation -= ((start.rotation - rest.rotation) / full).rounded() * full
        zoomPan.move(
            by: PlacementMotion(from: start, to: rest, pivot: viewport.center, at: moment))
    }

    /// Ends crop mode at once, because the picture is gone or is another one.
    mutating func abandonCrop(at moment: Moment) {
        guard crop != nil else { return }
        crop = nil
        chrome.keepBars(false, at: moment)
    }

    /// Follows a change of the surface, of the looks or of the pixels.
    mutating func layOutCrop() {
        // Measuring the bars opens the fonts, for which the first picture must not wait.
        guard crop != nil else { return }
        let area = CropBars(chrome.layout).frameArea
        crop?.model.setArea(area)
    }

    /// Saves the crop that the frame shows at rest.
    mutating func saveCrop(
        to destination: CropSave.Destination, at moment: Moment, effects: inout [ViewerEffect]
    ) {
        guard let crop else { return }
        let edit = crop.model.edit
        guard !edit.isIdentity else {
            return chrome.show(Toast(localized("nothing is cropped")), at: moment)
        }
        var save = CropSave(destination, .exact)
        var result = edit
        if crop.method == .losslessGrid, let aligned = cropBlocks?.aligned(edit) {
            (save.method, result) = (.losslessGrid, aligned)
        }
        endCrop(at: moment)
        effects.append(.saveCrop(result, save, index: index))
    }

    // MARK: What is shown

    /// Whether frame and dimmed outside are still appearing.
    func isRevealingCrop(at moment: Moment) -> Bool {
        guard isCropping, let crop else { return false }
        return !crop.reveal.isAtRest(at: moment, tolerance: .opacity)
    }

    /// The rotation of the pixels on the surface, beyond that of the turned picture, in radians.
    private func pixelRotation(_ model: CropModel) -> Double {
        Double(model.turn.clockwiseTurns) * .pi / 2
    }

    /// The placement of the picture that is cropped; nil outside of crop mode.
    func cropPlacement(at moment: Moment) -> Placement? {
        guard isCropping, let crop else { return nil }
        var placement = crop.model.view(at: moment).placement
        placement.rotation += pixelRotation(crop.model)
        return placement
    }

    /// The picture, the dimmed outside and the frame; empty outside of crop mode.
    func cropItems(at moment: Moment) -> [SceneItem] {
        guard let crop, let picture = pager.picture, let placement = cropPlacement(at: moment)
        else { return [] }
        var item = PictureItem(
            source: picture.source, size: picture.size, placement: placement,
            hasCheckerboard: settings.checkerboard)
        item.isMirrored = crop.model.turn.isMirrored
        let overlay = CropOverlay(
            frame: crop.model.view(at: moment).frame, surface: viewport.size,
            scale: viewport.scale, isHeld: crop.model.isHeld,
            opacity: min(max(crop.reveal.value(at: moment), 0), 1))
        return [.picture(item)] + overlay.items
    }

    /// What the crop bars show.
    func cropBars(at moment: Moment) -> CropBars {
        var facts = CropFacts()
        guard let model = crop?.model else { return CropBars(chrome.layout) }
        facts.ratio = model.ratio
        facts.isPortrait = model.isPortrait
        facts.degrees = model.degrees(at: moment)
        facts.size = cropSize(model.edit)
        facts.isChanged = model.isChanged
        return CropBars(chrome.layout, facts)
    }

    /// The size of what an edit keeps, in pixels.
    private func cropSize(_ edit: PictureEdit) -> PixelSize {
        if let rect = edit.crop?.rect { return PixelRect(rounding: rect).size }
        return pager.picture.map { edit.turn.upright($0.size) } ?? .zero
    }

    /// The frame for assistive technology.
    func cropFrameWidget(at moment: Moment) -> Widget? {
        guard let model = crop?.model else { return nil }
        let size = cropSize(model.edit)
        let angle = CropDial.text(model.degrees(at: moment))
        return Widget(
            "crop-frame", .panel, localized("Crop frame"),
            description: "\(size.width) × \(size.height), \(angle)",
            rect: model.view(at: moment).frame)
    }

    // MARK: Menus

    /// How the crop can be saved.
    var cropSaveItems: [Menu.Item] {
        let destinations = [
            Menu.Item(
                title: localized("Save as a copy"), action: .crop(.save(.copy)), icon: .copy,
                detail: KeyBinding("Return").label),
            Menu.Item(
                title: localized("Replace the original"), action: .crop(.save(.replace)),
                icon: .picture),
        ]
        guard let crop, let cropBlocks else { return Menu.Item.sections([destinations]) }
        let aligned = cropBlocks.aligned(crop.model.edit)
        func title(_ text: String, _ edit: PictureEdit?) -> String {
            guard let size = edit.map(cropSize) else { return text }
            return "\(text) (\(size.width) × \(size.height))"
        }
        var lossless = Menu.Item(
            title: title(localized("No loss of quality"), aligned),
            action: .crop(.method(.losslessGrid)),
            isChecked: crop.method == .losslessGrid && aligned != nil)
        lossless.isEnabled = aligned != nil
        let exact = Menu.Item(
            title: title(localized("Exact edges"), crop.model.edit), action: .crop(.method(.exact)),
            isChecked: crop.method == .exact || aligned == nil)
        return Menu.Item.sections([destinations, [lossless, exact]])
    }

    /// The proportions to choose from.
    var cropRatioItems: [Menu.Item] {
        guard let model = crop?.model else { return [] }
        let zoom = [
            Menu.Item(title: localized("Zoom in"), action: .crop(.zoomIn)),
            Menu.Item(title: localized("Zoom out"), action: .crop(.zoomOut)),
        ]
        return Menu.Item.sections([
            CropRatio.allCases.map { ratio in
                Menu.Item(
                    title: ratio.title(isPortrait: model.isPortrait),
                    action: .crop(.ratio(ratio)), isChecked: ratio == model.ratio)
            },
            CropBars(chrome.layout).hasZoomButtons ? [] : zoom,
        ])
    }
}
