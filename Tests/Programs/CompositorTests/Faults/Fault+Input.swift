import CompositorKit

/// Faults about fingers, pointers, keys and texts.
extension Fault {
    /// Beyond the range of Wayland's fixed-point numbers, which end at this.
    private static let far: FaultyEvent.Argument = 8_388_607.996
    private static let near: FaultyEvent.Argument = -8_388_608
    private static let allBits = FaultyEvent.Argument.integer(Int(UInt32.max))
    private static let least = FaultyEvent.Argument.integer(Int(Int32.min))
    private static let most = FaultyEvent.Argument.integer(Int(Int32.max))

    static let touches: [Fault] = [
        Fault("down twice with one id", .down(1, 100, 100), .down(1, 200, 200), .frame),
        Fault("up without down", .up(1), .frame),
        Fault("up twice", .down(1, 100, 100), .frame, .up(1), .up(1), .frame),
        Fault("motion without down", .motion(9, 100, 100), .frame),
        Fault("a frame alone", .touch("frame", times: 1000)),
        Fault("a cancel alone", .touch("cancel", times: 1000)),
        Fault("a shape without a finger", .touch("shape", [1, 10, 20]), .frame),
        Fault(
            "shapes of any size", .down(1, 100, 100), .touch("shape", [1, near, far]),
            .touch("shape", [1, 0, 0]), .touch("orientation", [1, far]), .frame),
        Fault("far away", .down(1, far, near), .frame, .wait(20), .motion(1, near, far), .frame),
        Fault(
            "across everything", .down(1, 300, 200), .frame, .wait(10), .motion(1, far, far),
            .frame,
            .wait(10), .motion(1, near, near), .frame, .wait(10), .up(1), .frame, .wait(500)),
        Fault(
            "a pinch across everything", .down(1, 300, 200), .down(2, 340, 200), .frame, .wait(10),
            .motion(1, near, near), .motion(2, far, far), .frame, .wait(10),
            .motion(1, 320, 200), .motion(2, 320, 200), .frame, .wait(10), .up(1), .up(2), .frame,
            .wait(500)),
        Fault(
            "fingers in one place", .down(1, 300, 200), .down(2, 300, 200), .frame, .wait(10),
            .motion(1, 300, 200), .frame, .wait(10), .motion(2, 400, 300), .frame, .wait(10),
            .up(2), .up(1), .frame, .wait(500)),
        Fault("the ends of ids", .down(.min, 100, 100), .down(.max, 200, 200), .frame),
        Fault(
            "hundred fingers",
            .act { stage in
                for id in 0..<100 {
                    stage.compositor.send(
                        FaultyEvent(
                            "wl_touch", "down",
                            [.serial, .time, .surface, .integer(id), .integer(id), 100]))
                }
            }, .frame, .wait(50), .motion(3, 300, 300), .frame),
        Fault(
            "on the border of the window",
            .event("zxdg_toplevel_decoration_v1", "configure", [1]),
            .configure(640, 400, states: [4]), .wait(100),
            .touch("down", [.serial, .time, .object("wl_surface", 1), 1, far, near]),
            .touch("down", [.serial, .time, .object("wl_surface", 2), 1, 5, 5]), .frame),
        Fault(
            "times that go back",
            .touch("down", [.serial, 1_000_000, .surface, 1, 100, 100]), .frame,
            .touch("motion", [999_000, 1, 150, 100]), .frame, .wait(10),
            .touch("motion", [990_000, 1, 190, 100]), .frame,
            .touch("motion", [1_009_999, 1, 210, 100]), .frame, .wait(10),
            .touch("cancel")),
        Fault(
            "times that leap", .touch("down", [.serial, 0, .surface, 1, 100, 100]), .frame,
            .touch("motion", [allBits, 1, 150, 100]), .frame, .wait(10),
            .touch("motion", [2_147_483_648, 1, 190, 100]), .frame, .wait(10),
            .touch("cancel")),
        Fault(
            "a stamp of no time",
            .event("zwp_input_timestamps_v1", "timestamp", [allBits, allBits, allBits], times: 9),
            .event("zwp_input_timestamps_v1", "timestamp", [allBits, allBits, 999_999_999]),
            .down(1, 100, 100), .frame),
        Fault("a seat of all devices", .event("wl_seat", "capabilities", [allBits])),
        Fault("a seat of no devices", .event("wl_seat", "capabilities", [0])),
        Fault(
            "a seat that flickers", .down(1, 100, 100), .frame,
            .event("wl_seat", "capabilities", [0]), .event("wl_seat", "capabilities", [7]),
            .event("wl_seat", "capabilities", [7]), .event("wl_seat", "capabilities", [2]),
            .event("wl_seat", "capabilities", [5]), .wait(20),
            .event("wl_seat", "capabilities", [7])),
        Fault("a seat of another name", .event("wl_seat", "name", ["\u{1B}]0;name\u{7}"])),
    ]

    static let pointers: [Fault] = [
        Fault("enter twice", .enter, .enter, .pointer("frame"), .enter, .pointer("frame")),
        Fault(
            "leave twice", .enter, .pointer("frame"), .pointer("leave", [.serial, .surface]),
            .pointer("leave", [.serial, .surface]), .pointer("frame")),
        Fault("leave without enter", .pointer("leave", [.serial, .surface]), .pointer("frame")),
        Fault(
            "motion outside of all surfaces", .pointer("motion", [.time, far, near]),
            .pointer("frame")),
        Fault(
            "motion far away", .enter, .pointer("motion", [.time, far, near]), .pointer("frame"),
            .wait(20), .pointer("motion", [.time, near, far]), .pointer("frame")),
        Fault(
            "a drag across everything", .enter, .pointer("button", [.serial, .time, 0x110, 1]),
            .pointer("frame"), .wait(20), .pointer("motion", [.time, far, near]),
            .pointer("frame"), .wait(20), .pointer("motion", [.time, near, near]),
            .pointer("button", [.serial, .time, 0x110, 0]), .pointer("frame"), .wait(500)),
        Fault(
            "buttons that do not exist", .enter, .pointer("button", [.serial, .time, allBits, 1]),
            .pointer("button", [.serial, .time, 0, 99]),
            .pointer("button", [.serial, .time, 0x112, allBits]), .pointer("frame")),
        Fault(
            "a press twice", .enter, .pointer("button", [.serial, .time, 0x110, 1]),
            .pointer("button", [.serial, .time, 0x110, 1]), .pointer("frame")),
        Fault(
            "a release without a press", .enter,
            .pointer("button", [.serial, .time, 0x111, 0]), .pointer("frame")),
        Fault(
            "a press outside of all surfaces", .pointer("button", [.serial, .time, 0x110, 1]),
            .pointer("frame"), .enter, .pointer("frame")),
        Fault(
            "the largest wheel", .enter, .pointer("axis_source", [0]),
            .pointer("axis", [.time, 0, far]), .pointer("frame"), .wait(20),
            .pointer("axis", [.time, 0, near]), .pointer("axis", [.time, 1, near]),
            .pointer("frame")),
        Fault(
            "the largest touchpad", .enter, .pointer("axis_source", [1]),
            .pointer("axis", [.time, 0, far]), .pointer("axis", [.time, 1, near]),
            .pointer("frame"), .wait(10), .pointer("axis_source", [1]),
            .pointer("axis_stop", [.time, 0]), .pointer("axis_stop", [.time, 1]),
            .pointer("frame"), .wait(500)),
        Fault(
            "the most detents", .enter, .pointer("axis_source", [0]),
            .pointer("axis_value120", [0, most]), .pointer("axis_value120", [0, most]),
            .pointer("axis", [.time, 0, 10]), .pointer("frame"), .wait(20),
            .pointer("axis_value120", [0, least]), .pointer("axis_value120", [1, least]),
            .pointer("frame")),
        Fault(
            "the most steps", .enter, .pointer("axis_source", [0]),
            .pointer("axis_discrete", [0, most]), .pointer("axis_discrete", [1, least]),
            .pointer("axis", [.time, 0, 10]), .pointer("frame")),
        Fault(
            "axes that do not exist", .enter, .pointer("axis_source", [allBits]),
            .pointer("axis", [.time, 99, 10]), .pointer("axis_stop", [.time, allBits]),
            .pointer("axis_value120", [2, 120]), .pointer("frame")),
        Fault("a stop without scrolling", .enter, .pointer("axis_stop", [.time, 0], times: 9)),
        Fault("a thousand frames", .enter, .pointer("frame", times: 1000)),
        Fault(
            "no frame ever", .enter, .pointer("axis", [.time, 0, 10], times: 1000),
            .pointer("motion", [.time, 10, 10], times: 1000)),
        Fault("an update without a pinch", .pinch("update", [.time, 5, 5, 2, 90])),
        Fault("an end without a pinch", .pinch("end", [.serial, .time, 0])),
        Fault(
            "a pinch twice", .pinch("begin", [.serial, .time, .surface, 2]),
            .pinch("begin", [.serial, .time, .surface, 3]), .pinch("update", [.time, 5, 5, 2, 9])),
        Fault(
            "a pinch of no size", .pinch("begin", [.serial, .time, .surface, 2]), .wait(10),
            .pinch("update", [.time, 0, 0, 0, 0]), .wait(10),
            .pinch("update", [.time, 0, 0, 0, 0]), .wait(10),
            .pinch("update", [.time, 0, 0, 1, 0]),
            .wait(10), .pinch("end", [.serial, .time, 0]), .wait(500)),
        Fault(
            "a pinch of negative size", .pinch("begin", [.serial, .time, .surface, 2]), .wait(10),
            .pinch("update", [.time, far, near, near, near]), .wait(10),
            .pinch("update", [.time, near, far, -1, far]), .wait(10),
            .pinch("end", [.serial, .time, 0]), .wait(500)),
        Fault(
            "the largest pinch", .pinch("begin", [.serial, .time, .surface, 2]), .wait(10),
            .pinch("update", [.time, far, far, far, far]), .wait(10),
            .pinch("update", [.time, near, near, 0.004, near]), .wait(10),
            .pinch("end", [.serial, .time, allBits]), .wait(500)),
        Fault(
            "no fingers, and all", .pinch("begin", [.serial, .time, .surface, 0]),
            .pinch("end", [.serial, .time, 0]), .swipe("begin", [.serial, .time, .surface, 0]),
            .swipe("end", [.serial, .time, 0]), .hold("begin", [.serial, .time, .surface, 0]),
            .hold("end", [.serial, .time, 0]), .wait(20),
            .pinch("begin", [.serial, .time, .surface, allBits]),
            .swipe("begin", [.serial, .time, .surface, allBits]),
            .hold("begin", [.serial, .time, .surface, allBits]), .wait(20),
            .pinch("end", [.serial, .time, 0]), .swipe("end", [.serial, .time, 0]),
            .hold("end", [.serial, .time, 0])),
        Fault(
            "a swipe across everything", .swipe("begin", [.serial, .time, .surface, 3]), .wait(10),
            .swipe("update", [.time, far, near]), .wait(10), .swipe("update", [.time, near, far]),
            .wait(10), .swipe("end", [.serial, .time, 0]), .wait(500)),
        Fault("an update without a swipe", .swipe("update", [.time, 5, 5])),
        Fault("an end without a hold", .hold("end", [.serial, .time, 1])),
    ]

    private static func map(
        _ name: String, _ file: FaultyEvent.File, size: Int, format: Int = 1
    ) -> Fault {
        Fault(
            name,
            [.keymap(file, size: size, format: format)] + Step.typing + [.wait(20)]
                + Step.typing)
    }

    private static let valid = Array(TestKeymap.text.utf8)

    static let keyboards: [Fault] = [
        map("a keymap of size 0", .memory(valid), size: 0),
        map("a keymap that is too long", .memory(valid), size: valid.count + 1),
        map("the longest keymap", .memory(valid), size: Int(UInt32.max)),
        map("an empty keymap", .memory([]), size: 1),
        map("a keymap in a pipe", .pipe, size: 100),
        map("a keymap in a folder", .folder, size: 10),
        map(
            "a keymap that is no text", .memory((0..<5000).map { UInt8($0 * 7 & 255) }), size: 5000),
        map("a keymap of NULs", .memory(Array(repeating: 0, count: 5000)), size: 5000),
        map(
            "a keymap of brackets", .memory(Array(repeating: UInt8(ascii: "{"), count: 50_000)),
            size: 50_000),
        map("half a keymap", .memory(valid), size: valid.count / 2),
        map("a keymap without a NUL", .memory(valid), size: valid.count),
        map("a keymap of no format", .memory(valid), size: valid.count, format: 0),
        map("a keymap of an unknown format", .memory(valid), size: valid.count, format: 99),
        map("a keymap that shrinks", .shrinking(valid + [0]), size: valid.count + 1),
        Fault(
            "a keymap for each key",
            .act { stage in
                for _ in 0..<20 {
                    for step in [
                        Step.keymap(.memory(valid), size: valid.count)
                    ] + Step.typing {
                        if case .send(let event, _) = step { stage.compositor.send(event) }
                    }
                }
            }),
        Fault("keys before they enter", .keyboard("key", [.serial, .time, 16, 1])),
        Fault(
            "keys that do not exist", .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, allBits, 1]),
            .keyboard("key", [.serial, .time, 0, 1]),
            .keyboard("key", [.serial, .time, 65_536, 99]),
            .keyboard("key", [.serial, .time, 16, allBits])),
        Fault(
            "a key down twice", .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, 12, 1], times: 3)),
        Fault(
            "a key up without down", .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, 12, 0], times: 3)),
        Fault(
            "enter twice, leave twice", .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("enter", [.serial, .surface, .bytes(Array(repeating: 9, count: 999))]),
            .keyboard("leave", [.serial, .surface]), .keyboard("leave", [.serial, .surface])),
        Fault(
            "modifiers and layouts that do not exist",
            .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("modifiers", [.serial, allBits, allBits, allBits, allBits]),
            .keyboard("key", [.serial, .time, 12, 1]), .keyboard("key", [.serial, .time, 12, 0]),
            .keyboard("modifiers", [.serial, 0, 0, 0, 2_147_483_648]),
            .keyboard("key", [.serial, .time, 12, 1]), .keyboard("key", [.serial, .time, 12, 0]),
            .keyboard("modifiers", [.serial, 0, 0, 0, 0])),
        Fault(
            "keys that repeat endlessly", .keyboard("repeat_info", [most, 0]),
            .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, 12, 1]), .wait(300),
            .keyboard("key", [.serial, .time, 12, 0])),
        Fault(
            "a negative repetition", .keyboard("repeat_info", [least, least]),
            .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, 12, 1]), .wait(100)),
        Fault(
            "the slowest repetition", .keyboard("repeat_info", [1, most]),
            .keyboard("enter", [.serial, .surface, ""]),
            .keyboard("key", [.serial, .time, 12, 1]), .wait(100)),
    ]

    /// The field for the zoom.
    private static let field = Step.play(
        "0 pointer move 450 312\n300 pointer button left down\n350 pointer button left up\n500 end")
    private static let closesField = Step.play("0 key Escape\n400 end")
    private static let long = String(repeating: "9\u{301}", count: 1300)

    static let texts: [Fault] = [
        Fault(
            "texts for nobody", .textInput("preedit_string", ["text", 0, 4]),
            .textInput("commit_string", ["text"]), .textInput("done", [0]),
            .textInput("done", [allBits]), .textInput("leave", [.surface]), .wait(50),
            .textInput("enter", [.surface])),
        Fault(
            "a text that is no UTF-8", field,
            .textInput("preedit_string", [.bytes([0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80]), 1, 5]),
            .textInput("done", [1]), .wait(50),
            .textInput("commit_string", [.bytes([0x31, 0xF0, 0x9F, 0xFE])]),
            .textInput("done", [2]), .wait(50), closesField),
        Fault(
            "the longest texts", field,
            .textInput("preedit_string", [.bytes(Array(long.utf8)), 3, 2000]),
            .textInput("done", [1]), .wait(50),
            .textInput("commit_string", [.bytes(Array(long.utf8))]), .textInput("done", [2]),
            .wait(50), .textInput("commit_string", [.bytes(Array(long.utf8))]),
            .textInput("done", [3]), .wait(50), closesField),
        Fault(
            "cursors outside of the text", field,
            .textInput("preedit_string", ["9\u{301}9", least, most]), .textInput("done", [1]),
            .wait(50), .textInput("preedit_string", ["9\u{301}9", most, least]),
            .textInput("done", [2]), .wait(50), .textInput("preedit_string", ["99", 1, -9]),
            .textInput("done", [3]), .wait(50), .textInput("done", [4]), closesField),
        Fault(
            "everything is deleted", field,
            .textInput("delete_surrounding_text", [allBits, allBits]), .textInput("done", [1]),
            .wait(50), .textInput("delete_surrounding_text", [1, allBits]),
            .textInput("commit_string", ["1"]), .textInput("done", [2]), .wait(50), closesField),
        Fault(
            "no texts", field, .textInput("preedit_string", [.none, 5, 5]),
            .textInput("commit_string", [.none]), .textInput("done", [allBits]), .wait(50),
            closesField),
        Fault(
            "enter twice, leave twice", field, .textInput("enter", [.surface]),
            .textInput("enter", [.surface]), .wait(50), .textInput("leave", [.surface]),
            .textInput("leave", [.surface]), .wait(50), .textInput("enter", [.surface]), .wait(50),
            closesField),
        Fault(
            "a thousand answers", field,
            .act { stage in
                for number in 0..<1000 {
                    stage.compositor.send(
                        FaultyEvent("zwp_text_input_v3", "commit_string", ["5"]))
                    stage.compositor.send(
                        FaultyEvent("zwp_text_input_v3", "done", [.integer(number)]))
                }
            }, .wait(50), closesField),
    ]
}
