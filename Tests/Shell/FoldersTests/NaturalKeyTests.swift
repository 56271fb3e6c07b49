import ImageTypes
import Testing

@Suite struct NaturalKeyTests {
    @Test func keysSortAsNamesDo() {
        let alphabet = Array("aAbB019 _.-".utf8) + [0xFF, 0x01]
        var seed = UInt64(7)
        func random(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let names = (0..<400).map { _ in
            (0..<(1 + random(9))).map { _ in alphabet[random(alphabet.count)] }
        }
        let keys = names.map { name in
            var key: [UInt8] = []
            NaturalOrder.appendKey(of: name, to: &key)
            return key
        }
        for a in names.indices {
            for b in names.indices {
                let isOrdered = keys[a].lexicographicallyPrecedes(keys[b])
                #expect(isOrdered == NaturalOrder.isOrdered(names[a], before: names[b]))
            }
        }
    }

    @Test func keysOfLongNumbersStillSort() {
        let long = [UInt8](repeating: UInt8(ascii: "7"), count: 300)
        var (shorter, longer): ([UInt8], [UInt8]) = ([], [])
        NaturalOrder.appendKey(of: long, to: &shorter)
        NaturalOrder.appendKey(of: long + [UInt8(ascii: "0")], to: &longer)
        #expect(shorter.lexicographicallyPrecedes(longer))
    }
}
