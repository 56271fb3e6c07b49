extension KeyEvent {
    /// The modifiers with which a key types no text.
    package static let silencing: Modifiers = [.control, .alt, .logo]

    /// Whether a text field consumes the key because of the text that the key types, alone or in a
    /// sequence of composed keys.
    package var isTyping: Bool {
        guard modifiers.isDisjoint(with: Self.silencing), action != .up else { return false }
        return isComposing || !text.isEmpty || !Self.text(ofName: name).isEmpty
            || name.hasPrefix("dead_") || name == "Multi_key"
    }

    /// The text that a key with this keysym name usually types; empty for names without a text.
    ///
    /// The names of all keysyms are a table of XKB; this function knows ASCII, the keypad and names
    /// of code points such as "U20AC".
    static func text(ofName name: String) -> String {
        if name.unicodeScalars.count == 1 { return name }
        if let text = named[name] { return text }
        return codePoint(name).map { String(Character($0)) } ?? ""
    }

    /// The character of a key of the letters' part of a keyboard, by its keysym name; nil for a key
    /// without one, and for names beyond Latin-1.
    package static func character(ofName name: String) -> String? {
        if name.hasPrefix("KP_") || name == "space" { return nil }
        if let text = named[name] { return text }
        if let place = latin1.firstIndex(of: name) {
            return Unicode.Scalar(0xA1 + UInt32(place)).map { String(Character($0)) }
        }
        return codePoint(name).map { String(Character($0)) }
    }

    /// The names of the keysyms from U+00A1 to U+00FF.
    private static let latin1 =
        """
        exclamdown cent sterling currency yen brokenbar section diaeresis copyright ordfeminine
        guillemotleft notsign hyphen registered macron degree plusminus twosuperior threesuperior acute
        mu paragraph periodcentered cedilla onesuperior masculine guillemotright onequarter onehalf
        threequarters questiondown Agrave Aacute Acircumflex Atilde Adiaeresis Aring AE Ccedilla Egrave
        Eacute Ecircumflex Ediaeresis Igrave Iacute Icircumflex Idiaeresis ETH Ntilde Ograve Oacute
        Ocircumflex Otilde Odiaeresis multiply Oslash Ugrave Uacute Ucircumflex Udiaeresis Yacute THORN
        ssharp agrave aacute acircumflex atilde adiaeresis aring ae ccedilla egrave eacute ecircumflex
        ediaeresis igrave iacute icircumflex idiaeresis eth ntilde ograve oacute ocircumflex otilde
        odiaeresis division oslash ugrave uacute ucircumflex udiaeresis yacute thorn ydiaeresis
        """.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)

    /// The code point in a name such as "U20AC".
    private static func codePoint(_ name: String) -> Unicode.Scalar? {
        guard name.utf8.first == UInt8(ascii: "U"), (5...9).contains(name.utf8.count),
            let value = UInt32(name.dropFirst(), radix: 16), value >= 0xA0
        else { return nil }
        return Unicode.Scalar(value)
    }

    private static let named: [String: String] = [
        "space": " ", "exclam": "!", "quotedbl": "\"", "numbersign": "#", "dollar": "$",
        "percent": "%", "ampersand": "&", "apostrophe": "'", "parenleft": "(", "parenright": ")",
        "asterisk": "*", "plus": "+", "comma": ",", "minus": "-", "period": ".", "slash": "/",
        "colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">",
        "question": "?", "at": "@", "bracketleft": "[", "backslash": "\\", "bracketright": "]",
        "asciicircum": "^", "underscore": "_", "grave": "`", "braceleft": "{", "bar": "|",
        "braceright": "}", "asciitilde": "~", "KP_0": "0", "KP_1": "1", "KP_2": "2", "KP_3": "3",
        "KP_4": "4", "KP_5": "5", "KP_6": "6", "KP_7": "7", "KP_8": "8", "KP_9": "9",
        "KP_Decimal": ".", "KP_Separator": ",", "KP_Add": "+", "KP_Subtract": "-",
        "KP_Multiply": "*", "KP_Divide": "/", "KP_Equal": "=", "KP_Space": " ",
    ]
}
