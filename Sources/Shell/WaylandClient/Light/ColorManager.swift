import WaylandProtocol

/// What the compositor understands of colours and light (wp_color_manager_v1).
final class ColorManager {
    let raw: WpColorManagerV1
    private var features: Set<WpColorManagerV1.Feature> = []
    private var transfers: Set<WpColorManagerV1.TransferFunction> = []
    private var primaries: Set<WpColorManagerV1.Primaries> = []
    private var intents: Set<WpColorManagerV1.RenderIntent> = []
    /// Whether the compositor has said all of that.
    private(set) var isKnown = false
    /// Whether the compositor takes buffers of deep pixels.
    var takesDeepPixels = false
    /// Called once the compositor has said what it understands.
    var onKnown: [() -> Void] = []

    init(_ raw: WpColorManagerV1) {
        self.raw = raw
        raw.onEvent = { [weak self] in self?.receive($0) }
    }

    private func receive(_ event: WpColorManagerV1.Event) {
        switch event {
        case .supportedIntent(let intent): intents.insert(intent)
        case .supportedFeature(let feature): features.insert(feature)
        case .supportedTfNamed(let transfer): transfers.insert(transfer)
        case .supportedPrimariesNamed(let found): primaries.insert(found)
        case .done:
            guard !isKnown else { return }
            isKnown = true
            for action in onKnown { action() }
            onKnown = []
        }
    }

    /// Whether deep pixels can be described: a request that the compositor does not understand would end the
    /// connection.
    var describesLight: Bool {
        isKnown && takesDeepPixels && features.contains(.parametric)
            && features.contains(.setLuminances) && transfers.contains(.gamma22)
            && primaries.contains(.srgb) && intents.contains(.perceptual)
    }

    /// Whether the compositor may be asked about a screen in numbers.
    var describesScreens: Bool { isKnown && features.contains(.parametric) }
}
