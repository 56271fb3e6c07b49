import JSON
import Testing

@Suite struct JSONLineTests {
    @Test func valuesOfEachKind() {
        var line = JSONLine()
        line.add("text", "a")
        line.add("none", String?.none)
        line.add("count", -3)
        line.add("flag", true)
        line.add("number", 0.5)
        line.add("numbers", [1, 2.25])
        line.add("rects", [[1, 2, 3, 4]])
        line.object("object") { $0.add("inner", 1) }
        line.object("empty") { _ in }
        #expect(
            line.close() == #"{"text":"a","none":null,"count":-3,"flag":true,"number":0.5,"#
                + #""numbers":[1,2.25],"rects":[[1,2,3,4]],"object":{"inner":1},"empty":{}}"#
                + "\n")
    }

    @Test func textIsEscaped() {
        var line = JSONLine()
        line.add("t", "\"\\\n\r\t\u{1}\u{1f}é\u{7f}🙂")
        #expect(line.close() == #"{"t":"\"\\\n\r\t\u0001\u001fé\u007f🙂"}"# + "\n")
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (-0.25, "-0.25"),
        (1.0005, "1.001"), (2.9996, "3"), (0.0004, "0"), (-0.0004, "0"), (1234.5, "1234.5"),
        (.infinity, "null"), (.nan, "null"), (1e16, "1e+16"),
    ])
    func numbersHaveAtMostThreePlaces(_ value: Double, _ text: String) {
        #expect(JSONLine.number(value, 3) == text)
    }

    @Test func placesMayDiffer() {
        #expect(JSONLine.number(.pi, 1) == "3.1")
        #expect(JSONLine.number(.pi, 8) == "3.14159265")
        #expect(JSONLine.number(1e-8, 8) == "0.00000001")
    }
}
