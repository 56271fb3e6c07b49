package import SeededRandom
package import TOML

/// Documents at random.
package enum RandomTOML {
    private static let names = [
        "a", "b", "c", "viewer", "x-1", "_", "0", "\"q.r\"", "'s t'", "\"é\\n\"",
    ]

    private static let words = [
        "1", "-0", "+7", "0xFf", "0o17", "0b1_0", "1_000", "1.5", "-2e10", "3.1_4e-2", "inf",
        "-inf",
        "nan", "true", "false", "1979-05-27", "07:32:00", "1979-05-27T07:32:00.5Z",
        "2000-02-29 01:02:03", "2024-12-31t23:59:59+01:00", "\"\"", "\"text\"", "'lit\\'",
        "\"\\u00e9\\t\\\\\"", "\"\"\"\nlong \\\n  text\n\"\"\"", "'''\n'quoted' '''",
        "\"\"\"a\"\"\"\"\"", "9223372036854775807",
    ]

    package static func document(_ random: inout SeededGenerator) -> String {
        var text = ""
        let end = Bool.random(using: &random) ? "\n" : "\r\n"
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0...9, using: &random) {
            case 0: text += "# a comment é" + end
            case 1: text += " \t" + end
            case 2, 3: text += " [ \(key(&random)) ] # t" + end
            default:
                text += key(&random) + " = " + written(&random, depth: 3)
                text += Bool.random(using: &random) ? end : " # why" + end
            }
        }
        return text
    }

    /// Characters and lines left out, doubled, or put elsewhere.
    package static func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
        var scalars = Array(text.unicodeScalars)
        let signs = Array("[]{}\"'=.,#\n\r\\ 0_-+:TZez\u{1}é".unicodeScalars)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...scalars.count, using: &random)
            if place < scalars.count, Bool.random(using: &random) {
                scalars.remove(at: place)
            } else if let sign = signs.randomElement(using: &random) {
                scalars.insert(sign, at: place)
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func key(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            names.randomElement(using: &random) ?? "a"
        }.joined(separator: Bool.random(using: &random) ? "." : " . ")
    }

    /// A value as a person may write it.
    private static func written(_ random: inout SeededGenerator, depth: Int) -> String {
        let kind = depth == 0 ? 0 : Int.random(in: 0...7, using: &random)
        let count = Int.random(in: 0...3, using: &random)
        if kind == 6 {
            let values = (0..<count).map { _ in written(&random, depth: depth - 1) }
            let comma = Bool.random(using: &random) && count > 0 ? ",\n # end\n" : ""
            return "[" + values.joined(separator: " ,\n ") + comma + "]"
        }
        if kind == 7 {
            let members = (0..<count).map { _ in
                key(&random) + " = " + written(&random, depth: depth - 1)
            }
            return "{ " + members.joined(separator: " , ") + " }"
        }
        return words.randomElement(using: &random) ?? "1"
    }

    package static func value(_ random: inout SeededGenerator, depth: Int) -> TOMLValue {
        let count = Int.random(in: 0...3, using: &random)
        switch Int.random(in: 0...(depth == 0 ? 4 : 6), using: &random) {
        case 0: return .integer(Int.random(in: .min ... .max, using: &random))
        case 1:
            let bits = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            return .number(bits.isNaN ? .infinity : bits)
        case 2: return .flag(Bool.random(using: &random))
        case 3: return .date("1979-05-27")
        case 4:
            let signs = Array("az\"'\\\n\r\t\u{0}\u{1F}\u{7F}é😀#=".unicodeScalars)
            return .string(
                (0..<count * 2).map { _ in
                    String(signs.randomElement(using: &random) ?? "a")
                }.joined())
        case 5: return .array((0..<count).map { _ in value(&random, depth: depth - 1) })
        default:
            let keys = ["a", "", "b c", "\u{1}"]
            return .table(
                Dictionary(
                    (0..<count).map { (keys[$0], value(&random, depth: depth - 1)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }
}
