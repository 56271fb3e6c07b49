import CompositorKit
import Glibc
import StallingFileSystem
import TestKit
import Testing

extension LiveTests {
    /// A file that another program changes between two calls of the viewer.
    @Suite(
        .enabled(
            if: StallingFileSystem.obstacle == nil, "\(StallingFileSystem.obstacle ?? "")"))
    struct ChangedFileTests {
        /// What another program does to the file.
        enum Change: CaseIterable {
            case delete, truncate, replace

            func apply(to path: String) {
                switch self {
                case .delete: unlink(path)
                case .truncate: Glibc.truncate(path, 0)
                case .replace:
                    TestFile.write(Stage.large, to: path + ".new")
                    rename(path + ".new", path)
                }
            }
        }

        /// The picture or a message is shown, and the viewer goes on with the next picture.
        @Test(arguments: Change.allCases, [Operation.open, .read])
        func whileItIsLoaded(_ change: Change, _ operation: Operation) throws {
            let stage = try Stage(
                in: .program, pictures: [Stage.small, Stage.small],
                stalling: { $0.stall(operation, of: "card.png") })
            stage.untilOpen()
            try stage.untilStalled(operation)
            change.apply(to: stage.folder / "source/album/card.png")
            try stage.files.release()
            let isAnswered = stage.compositor.run(seconds: 10) {
                guard let last = stage.trace.last else { return false }
                return last.text("message") != nil || last.numbers("image").first ?? 0 > 0
            }
            #expect(isAnswered, "\(stage.trace.last?.line ?? "") \(stage.errors)")
            stage.type("Right")
            // A picture that is gone leaves the album once the viewer has looked.
            let isNextShown = stage.compositor.run(seconds: 10) {
                guard let last = stage.trace.last else { return false }
                return last.text("path")?.hasSuffix("/card-2.png") == true
                    && last.numbers("image").first == 320 && last.text("message") == nil
            }
            #expect(isNextShown, "\(stage.trace.last?.line ?? "")")
            try stage.expectNoZombies()
            // One of the pictures may not have been shown.
            #expect(try [0, 1].contains(stage.close()))
        }
    }
}
