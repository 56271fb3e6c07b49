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
                setup, in: FaultRecord.isWanted ? .program : .here,
                pictures: Array(repeating: Stage.large, count: onGrid ? 12 : 1),
                onGrid: onGrid)
        }

        @Test(arguments: Fault.groups)
        func theViewerGoesOnAfter(_ faults: Fault.Group) throws {
            let stage = try Self.stage()
            try Self.occur(faults.faults, on: stage, as: faults.subject)
            try stage.expectGoesOn()
            #expect(try stage.close() == 0)
        }

        /// Input of all kinds, where a grid of pictures receives it.
        @Test func theGridGoesOnAfterWrongInput() throws {
            let stage = try Self.stage(onGrid: true)
            try Self.occur(
                Fault.touches + Fault.pointers + Fault.pens + Fault.keyboards, on: stage,
                as: "input on the grid"
            )
            #expect(try stage.close() == 0)
        }

        /// Lets faults happen one after another, and expects answers after each.
        private static func occur(
            _ faults: [Fault], on stage: Stage, as subject: String
        ) throws {
            for fault in faults {
                let answers = try stage.answers {
                    try fault.occur(on: stage)
                    try stage.recover()
                }
                try stage.expectAnswers(after: fault)
                FaultRecord(
                    table: .events, fault: subject + ": " + fault.name, answers: answers,
                    seen: stage.messageShown
                ).write()
            }
        }
    }
}
