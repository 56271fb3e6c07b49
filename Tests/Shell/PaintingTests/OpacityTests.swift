import Testing

@testable import Painting

@Suite struct OpacityTests {
    /// Opacities are clamped; a value that is not a number is transparent and does not trap.
    @Test(arguments: [
        (0.0, 0), (0.5, 128), (1, 255), (-1, 0), (2, 255), (1e300, 255), (.infinity, 255),
        (-.infinity, 0), (.nan, 0),
    ])
    func everyOpacityBecomesAByte(opacity: Double, byte: UInt32) {
        #expect(opacity.opacityByte == byte)
    }
}
