// Measures the decoder process: DecodeBench DECODER WIDTHxHEIGHT RUNS FILE. Prints one JSON line:
// the times of the first usable picture and of the full one, and the used resources; see
// meson-helpers/measure/decoding.

import DecodeClient
import Geometry
import Glibc
import Motion

let arguments = CommandLine.arguments
let sides = arguments.count == 5 ? arguments[2].split(separator: "x").compactMap { Int($0) } : []
guard sides.count == 2, let runs = Int(arguments[3]), runs > 0 else {
    print("usage: DecodeBench DECODER WIDTHxHEIGHT RUNS FILE")
    exit(2)
}
let bench = Bench(
    decoder: arguments[1], target: PixelSize(width: sides[0], height: sides[1]), file: arguments[4])
do {
    var (firsts, fulls): ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
        let times = try bench.run()
        firsts.append(times.first)
        fulls.append(times.full)
    }
    let memory = try bench.run(measuresMemory: true).memory
    print(
        "{\"first_ms\":\(median(firsts)),\"full_ms\":\(median(fulls)),"
            + "\"memory_mib\":\(memory >> 20)}")
} catch {
    print("\(arguments[4]): \(error)")
    exit(1)
}

func median(_ values: [Double]) -> Double {
    (values.sorted()[values.count / 2] * 10).rounded() / 10
}
