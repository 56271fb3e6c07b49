extension Int {
    /// `value` without its fraction, clamped to the range of the type; NaN becomes 0.
    ///
    /// Unlike `Int(value)` this never traps. Coordinates can be infinite or NaN, because input
    /// events and settings multiply and divide.
    package init(clamping value: Double) {
        if let whole = Int(exactly: value.rounded(.towardZero)) {
            self = whole
        } else if value.isNaN {
            self = 0
        } else {
            self = value < 0 ? .min : .max
        }
    }
}

extension Int32 {
    /// `value` without its fraction, clamped to the range of the type; NaN becomes 0.
    package init(clamping value: Double) { self.init(clamping: Int(clamping: value)) }
}
