/// The characters of untrusted text that could move a cursor, start an escape sequence, or reorder or hide a part of a line.
package enum ControlCharacters {
    /// Returns what is shown instead of a character: its picture (`ESC` is `␛`), an escape (`\u{202E}`), or nothing if it is
    /// invisible; `nil` for a character that is shown as it is.
    package static func replacement(of scalar: Unicode.Scalar) -> String? {
        let value = scalar.value
        if value >= 0x20, value < 0x7F { return nil }
        if value < 0x20 { return String(Character(Unicode.Scalar(0x2400 + value) ?? " ")) }
        if value == 0x7F { return "␡" }
        if value < 0xA0 || value == 0x2028 || value == 0x2029 || isBidiControl(value) {
            return "\\u{" + String(value, radix: 16, uppercase: true) + "}"
        }
        return isInvisible(value) ? "" : nil
    }

    /// Returns whether a character is a mark, embedding, override or isolate that reorders a line.
    private static func isBidiControl(_ value: UInt32) -> Bool {
        switch value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns whether a character has no width, but changes a text without harm: a joiner, a space without width, a
    /// soft hyphen or a mark of the byte order.
    ///
    /// Data formats carry it unchanged, and screens show its number. Tags, which can hide a whole text, are not among them.
    package static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x180E, 0x200B...0x200D, 0x2060...0x2064, 0xFEFF: true
        default: isStyle(scalar.value)
        }
    }

    /// Returns whether a character changes the appearance of the previous character: a variation selector or a skin tone.
    private static func isStyle(_ value: UInt32) -> Bool {
        switch value {
        case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0x1_F3FB...0x1_F3FF, 0xE_0100...0xE_01EF: true
        default: false
        }
    }

    /// Returns what a screen shows instead of a character, as ``replacement(of:)`` does; invisible characters that make a text
    /// differ are shown by their number.
    package static func shown(_ scalar: Unicode.Scalar) -> String? {
        let shown = replacement(of: scalar)
        guard shown?.isEmpty == true, !isStyle(scalar.value) else { return shown }
        return "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }

    /// Returns whether a character only affects rendering: joiners, variation selectors, tags, skin tones and others.
    private static func isInvisible(_ value: UInt32) -> Bool {
        switch value {
        case 0xAD, 0x180B...0x180F, 0x200B...0x200D, 0x2060...0x2065, 0x206A...0x206F, 0xFE00...0xFE0F, 0xFEFF,
            0xFFF9...0xFFFB, 0x1_F3FB...0x1_F3FF, 0xE_0000...0xE_0FFF:
            true
        default:
            false
        }
    }
}

extension String {
    /// The text with visible control characters; line feeds remain, and tabulators become spaces.
    package var withVisibleControls: String {
        guard utf8.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }) else { return self }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result.append(scalar)
            case "\t": result.append(" ")
            default:
                if let shown = ControlCharacters.replacement(of: scalar) {
                    result.append(contentsOf: shown.unicodeScalars)
                } else {
                    result.append(scalar)
                }
            }
        }
        return String(result)
    }
}
