import WaylandProtocol

/// Switches the screens that a window is on off and on, where the compositor offers that.
struct ScreenPower {
    /// Nil before the first call of `set`.
    private var isOn: Bool?
    /// The screens that are off: a surface leaves the output of such a screen, so they are kept.
    private var screens: [ZwlrOutputPowerV1] = []

    mutating func set(_ isOn: Bool, outputs: [Output], _ globals: Globals) {
        guard isOn != self.isOn else { return }
        if screens.isEmpty {
            // The compositor has not said yet where the surface is.
            guard !outputs.isEmpty || globals.outputPower == nil else { return }
            screens = outputs.compactMap { globals.outputPower?.getOutputPower(output: $0.raw) }
        }
        self.isOn = isOn
        for screen in screens { screen.setMode(mode: isOn ? .on : .off) }
        if isOn { destroy() }
    }

    mutating func destroy() {
        for screen in screens { screen.destroy() }
        screens = []
    }
}
