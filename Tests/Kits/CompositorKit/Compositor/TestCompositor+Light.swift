import Geometry
import Glibc
package import WaylandProtocol
import WaylandServer

/// What the pixels of a surface mean.
package final class TestDescription {
    package internal(set) var transfer: WpColorManagerV1.TransferFunction?
    package internal(set) var primaries: WpColorManagerV1.Primaries?
    /// The luminances of the brightest value and of white, in cd/m².
    package internal(set) var luminances: (brightest: UInt32, white: UInt32)?
    var isReady = false

    init() {}

    /// How many times as bright as white the brightest value is.
    package var headroom: Double {
        luminances.map { Double($0.brightest) / Double($0.white) } ?? 1
    }
}

/// wp_color_manager_v1: checks the requests, and tells of the screen in `Setup.light`.
extension TestCompositor {
    func addLight() throws(ServerError) {
        guard setup.offer[WpColorManagerV1Resource.interface.name] != nil else { return }
        if setup.light.takesDeepPixels { server.addFormat(.xbgr2101010) }
        try offer(WpColorManagerV1Resource.self) { [unowned self] manager in
            let light = setup.light
            manager.supportedIntent(renderIntent: .perceptual)
            for feature in light.features { manager.supportedFeature(feature: feature) }
            for transfer in light.transfers { manager.supportedTfNamed(tf: transfer) }
            for primaries in light.primaries {
                manager.supportedPrimariesNamed(primaries: primaries)
            }
            manager.done()
            manager.onRequest = { [unowned self] in receive($0) }
        }
    }

    private func receive(_ request: WpColorManagerV1Resource.Request) {
        switch request {
        case .getSurface(let id, let surface):
            guard let surface = self.surface(of: surface) else { return }
            if surface.hasDescriptions { violate("wp_color_manager_v1: a second object") }
            surface.hasDescriptions = true
            id.onRequest = { [unowned self, unowned surface] in
                switch $0 {
                case .setImageDescription(let raw, let intent):
                    guard let found = descriptions[raw.id], found.isReady else {
                        return violate("wp_color_management_surface_v1: not ready")
                    }
                    if intent != .perceptual {
                        violate("wp_color_management_surface_v1: an intent that is not offered")
                    }
                    surface.nextDescription = found
                case .unsetImageDescription: surface.nextDescription = nil
                case .destroy:
                    surface.hasDescriptions = false
                    surface.nextDescription = nil
                }
            }
        case .getSurfaceFeedback(let id, _):
            lightFeedbacks.append(id)
            id.onRequest = { [unowned self] in
                switch $0 {
                case .getPreferredParametric(let description):
                    if !setup.light.features.contains(.parametric) {
                        violate("wp_color_management_surface_feedback_v1: not offered")
                    }
                    describeScreen(description)
                case .getPreferred(let description): describeScreen(description)
                case .destroy: lightFeedbacks.removeAll { $0 === id }
                }
            }
        case .createParametricCreator(let creator):
            if !setup.light.features.contains(.parametric) {
                violate("wp_color_manager_v1: descriptions by numbers are not offered")
            }
            add(creator)
        case .createIccCreator, .createWindowsScrgb, .getOutput, .getImageDescription:
            violate("wp_color_manager_v1: a request that the viewer does not need")
        case .destroy: break
        }
    }

    private func add(_ creator: WpImageDescriptionCreatorParamsV1Resource) {
        let new = TestDescription()
        let light = setup.light
        let name = "wp_image_description_creator_params_v1: "
        creator.onRequest = { [unowned self, unowned creator] in
            switch $0 {
            case .setTfNamed(let transfer):
                if !light.transfers.contains(transfer) { violate(name + "\(transfer)") }
                new.transfer = transfer
            case .setPrimariesNamed(let primaries):
                if !light.primaries.contains(primaries) { violate(name + "\(primaries)") }
                new.primaries = primaries
            case .setLuminances(let least, let brightest, let white):
                if !light.features.contains(.setLuminances) { violate(name + "luminances") }
                if brightest * 10_000 <= least || white * 10_000 <= least {
                    violate(name + "luminances \(least), \(brightest), \(white)")
                }
                new.luminances = (brightest, white)
            case .create(let description):
                if new.transfer == nil || new.primaries == nil { violate(name + "incomplete") }
                answer(description, new)
                creator.destroyResource()
            default: violate(name + "a request that is not offered")
            }
        }
    }

    private func answer(_ raw: WpImageDescriptionV1Resource, _ new: TestDescription) {
        descriptions[raw.id] = new
        let id = raw.id
        raw.onDestroy = { [weak self] in self?.descriptions[id] = nil }
        switch setup.light.answer {
        case .ready:
            new.isReady = true
            sendReady(raw)
        case .failed: raw.failed(cause: .unsupported, msg: "not today")
        case .silent: break
        }
    }

    private func sendReady(_ raw: WpImageDescriptionV1Resource) {
        lightCount += 1
        if raw.version >= 2 {
            raw.ready2(identityHi: 0, identityLo: lightCount)
        } else {
            raw.ready(identity: lightCount)
        }
    }

    private func describeScreen(_ raw: WpImageDescriptionV1Resource) {
        raw.onRequest = { [unowned self] in
            guard case .getInformation(let information) = $0 else { return }
            let light = setup.light
            information.primariesNamed(primaries: .srgb)
            information.tfNamed(tf: .gamma22)
            information.luminances(minLum: 0, maxLum: light.brightest, referenceLum: light.white)
            information.targetLuminance(minLum: 0, maxLum: light.brightest)
            information.done()
            information.destroyResource()
        }
        sendReady(raw)
    }

    /// Gives the screen another light, and tells the surfaces.
    package func setLight(_ light: TestLight) {
        setup.light = light
        lightCount += 1
        for feedback in lightFeedbacks {
            if feedback.version >= 2 {
                feedback.preferredChanged2(identityHi: 0, identityLo: lightCount)
            } else {
                feedback.preferredChanged(identity: lightCount)
            }
        }
    }
}

extension TestSurface {
    /// The light of a pixel in the primaries of sRGB, in multiples of white, as its description says.
    package func light(_ x: Int, _ y: Int) -> [Double]? {
        guard let pixels else { return nil }
        let word = pixels.values[y * pixels.size.width + x]
        if pixels.isDeep {
            let headroom = description?.headroom ?? 1
            return [0, 10, 20].map { pow(Double(word >> UInt32($0) & 1023) / 1023, 2.2) * headroom }
        }
        return [16, 8, 0].map { pow(Double(word >> UInt32($0) & 255) / 255, 2.2) }
    }
}
