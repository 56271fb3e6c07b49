import Glibc
import WaylandProtocol

/// The light of a surface: what its screen can show, and what its deep pixels mean.
final class SurfaceLight {
    private let manager: ColorManager
    private let surface: WlSurface
    private let changed: () -> Void
    private var feedback: WpColorManagementSurfaceFeedbackV1?
    private var target: WpColorManagementSurfaceV1?
    /// The description that the compositor prefers, while it is read.
    private var query: Query?
    /// The screen as the compositor has described it; nil before that, and without a sound answer.
    private(set) var screen: ScreenLight?
    /// Whether the compositor has answered, and accepted or refused the description of deep pixels.
    private(set) var isKnown = false
    /// The most headroom that is used.
    var limit = Double.infinity { didSet { if limit != oldValue { describe() } } }
    /// The description of deep pixels with the headroom that is to be used.
    private var next: Description?
    /// The description of the deep pixels that were committed last; nil after pixels of 8 bits.
    private var shown: Description?
    /// Whether the compositor has refused a description.
    private var isRefused = false

    /// The luminance of white that descriptions have, in cd/m²: that of ITU-R BT.2408.
    private static let white = 203.0
    /// Less headroom is not worth deep pixels.
    private static let leastHeadroom = 1.1
    private static let mostHeadroom = 16.0

    /// Reads what the compositor says of the screen of `surface`, now and later.
    init(_ manager: ColorManager, _ surface: WlSurface, changed: @escaping () -> Void) {
        (self.manager, self.surface, self.changed) = (manager, surface, changed)
        if manager.isKnown {
            begin()
        } else {
            manager.onKnown.append { [weak self] in self?.begin() }
        }
    }

    private func begin() {
        guard manager.describesScreens else {
            isKnown = true
            return changed()
        }
        let feedback = manager.raw.getSurfaceFeedback(surface: surface)
        feedback.onEvent = { [weak self] _ in self?.ask() }
        self.feedback = feedback
        ask()
    }

    func destroy() {
        (query, next, shown) = (nil, nil, nil)
        target?.destroy()
        feedback?.destroy()
    }

    // MARK: The screen

    private func ask() {
        guard let feedback else { return }
        query = Query(feedback.getPreferredParametric()) { [weak self] screen in
            self?.receive(screen)
        }
    }

    private func receive(_ found: ScreenLight?) {
        query = nil
        guard found != screen || !isKnown else { return }
        screen = found
        describe()
        // With a description to come, the answer to that is awaited.
        if next == nil {
            isKnown = true
            changed()
        }
    }

    // MARK: Deep pixels

    /// How many times as bright as white deep pixels can be now; nil where they cannot be described.
    var headroom: Double? { next.flatMap { $0.isReady ? $0.headroom : nil } }

    private func describe() {
        let wanted = min(screen?.headroom ?? 1, limit, Self.mostHeadroom)
        guard manager.describesLight, !isRefused, wanted >= Self.leastHeadroom else {
            if next != nil {
                next = nil
                changed()
            }
            return
        }
        let brightest = (Self.white * wanted).rounded()
        guard next?.headroom != brightest / Self.white else { return }
        let creator = manager.raw.createParametricCreator()
        creator.setTfNamed(tf: .gamma22)
        creator.setPrimariesNamed(primaries: .srgb)
        creator.setLuminances(
            minLum: 0, maxLum: UInt32(brightest), referenceLum: UInt32(Self.white))
        next = Description(creator.create(), headroom: brightest / Self.white) {
            [weak self] isReady in
            if !isReady {
                self?.isRefused = true
                self?.next = nil
            }
            self?.isKnown = true
            self?.changed()
        }
    }

    /// Says what the pixels of the next commit mean: deep ones with this headroom, or with nil those of 8 bits.
    func apply(_ headroom: Double?) {
        guard headroom != shown?.headroom else { return }
        guard let headroom else {
            target?.unsetImageDescription()
            shown = nil
            return
        }
        guard let next, next.isReady, next.headroom == headroom else { return }
        let target = target ?? manager.raw.getSurface(surface: surface)
        self.target = target
        target.setImageDescription(imageDescription: next.raw, renderIntent: .perceptual)
        shown = next
    }
}

/// A description of deep pixels.
private final class Description {
    let raw: WpImageDescriptionV1
    /// How many times as bright as white the brightest pixel is.
    let headroom: Double
    private(set) var isReady = false

    /// Calls `decided` once with whether the compositor has accepted the description.
    init(
        _ raw: WpImageDescriptionV1, headroom: Double, decided: @escaping (_ isReady: Bool) -> Void
    ) {
        (self.raw, self.headroom) = (raw, headroom)
        raw.onEvent = { [weak self] event in
            switch event {
            case .ready, .ready2:
                guard self?.isReady == false else { return }
                self?.isReady = true
                decided(true)
            case .failed: decided(false)
            }
        }
    }
}

/// Reads the luminances of a description.
private final class Query {
    private let description: WpImageDescriptionV1
    private var information: WpImageDescriptionInfoV1?
    private var white: UInt32?
    private var brightest: UInt32?

    /// Calls `finished` once with the light of the screen; with nil if there is no sound answer.
    init(_ description: WpImageDescriptionV1, finished: @escaping (ScreenLight?) -> Void) {
        self.description = description
        description.onEvent = { [weak self] event in
            switch event {
            case .ready, .ready2: self?.read(finished)
            case .failed: finished(nil)
            }
        }
    }

    private func read(_ finished: @escaping (ScreenLight?) -> Void) {
        guard information == nil else { return }
        let information = description.getInformation()
        self.information = information
        information.onEvent = { [weak self] event in
            switch event {
            case .luminances(_, _, let reference): self?.white = reference
            case .targetLuminance(_, let most): self?.brightest = most
            case .iccFile(let descriptor, _): close(descriptor)
            case .done: finished(self?.screen)
            default: break
            }
        }
    }

    private var screen: ScreenLight? {
        guard let white, let brightest else { return nil }
        return ScreenLight(white: white, brightest: brightest)
    }
}
