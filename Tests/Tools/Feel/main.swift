import Geometry
import Glibc
import Input
import Motion
import SceneModel
import TestKit

// Plays realistic gestures of every kind to the viewer and prints the results:
// Feel [--count N] [--seed N] [--verbose] [KIND…]. Exits with 1 if a limit is exceeded.

var (count, seed, isVerbose) = (2000, UInt64(1), false)
var kinds: [Kind] = []
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--count": count = arguments.popFirst().flatMap { Int($0) } ?? count
    case "--seed": seed = arguments.popFirst().flatMap { UInt64($0) } ?? seed
    case "--verbose": isVerbose = true
    default:
        guard let kind = Kind(rawValue: argument) else {
            print("\(argument) is not a kind of gesture: \(Kind.allCases.map(\.rawValue))")
            exit(2)
        }
        kinds.append(kind)
    }
}
if kinds.isEmpty { kinds = Kind.allCases }

let album = TemporaryFolder()
album.folder("album")
let pictureSize = PixelSize(width: 1500, height: 1000)
let bytes = TestPicture.card(pictureSize.width, pictureSize.height).jpeg(quality: 85)
for number in 100..<300 { _ = album.file("album/\(number).jpg", bytes) }

var report = FeelReport()
do {
    for kind in kinds {
        var run = try FeelRun(kind, album: album / "album", seed: seed, picture: pictureSize)
        run.isVerbose = isVerbose
        report.add(try run.play(count))
    }
} catch {
    print("\(error)")
    exit(2)
}
report.end()
exit(report.isGood ? 0 : 1)
