import CompositorKit
import Geometry
import TestKit
import Testing

extension LiveTests {
    /// A compositor that sends what it must not send, at any time.
    ///
    /// The viewer survives each fault, and obeys the compositor again that has come to its senses.
    @Suite struct FaultTests {
        private static func stage(onGrid: Bool = false) throws -> Stage {
            var setup = Setup()
            setup.checksPixels = false
            return try Stage.shown(
                setup, pictures: Array(repeating: Stage.large, count: onGrid ? 12 : 1),
                onGrid: onGrid)
        }

        @Test(arguments: Fault.groups)
        func theViewerGoesOnAfter(_ faults: Fault.Group) throws {
            let stage = try Self.stage()
            for fault in faults.faults {
                try fault.occur(on: stage)
                try stage.recover()
                try stage.expectAnswers(after: fault)
            }
            try stage.expectGoesOn()
            #expect(try stage.close() == 0)
        }

        /// Input of all kinds, where a grid of pictures receives it.
        @Test func theGridGoesOnAfterWrongInput() throws {
            let stage = try Self.stage(onGrid: true)
            for fault in Fault.touches + Fault.pointers + Fault.keyboards {
                try fault.occur(on: stage)
                try stage.recover()
                try stage.expectAnswers(after: fault)
            }
            #expect(try stage.close() == 0)
        }
    }
}
