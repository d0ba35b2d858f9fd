/// Maps codes to keys.
enum InputTables {
    /// Returns the key of a byte below 0x80 outside of sequences.
    static func ascii(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0D, 0x0A: Key(.enter)
        case 0x09: Key(.tab)
        case 0x7F, 0x08: Key(.backspace)
        case 0x00: Key(" ", .control)
        case 0x01...0x1A: Key(Character(Unicode.Scalar(byte + 0x60)), .control)
        case 0x1C...0x1F: Key(Character(Unicode.Scalar(byte + 0x40)), .control)
        case 0x20...0x7E: Key(Character(Unicode.Scalar(byte)))
        default: nil
        }
    }

    /// Returns the key of a byte after `ESC O`: arrows, function keys and the keypad in application mode.
    static func single(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x4D: Key(.enter)
        case 0x6A...0x79: Key(Character(Unicode.Scalar(byte - 0x40)))
        case 0x61...0x64: Key([.up, .down, .right, .left][Int(byte) - 0x61], .control)
        default: lettered(byte).map { Key($0) }
        }
    }

    /// Returns the key of the final letter of a control sequence.
    static func lettered(_ byte: UInt8) -> Key.Code? {
        switch byte {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        case 0x50...0x53: .function(Int(byte) - 0x4F)
        default: nil
        }
    }

    /// Returns the key of the number before `~`.
    static func numbered(_ number: Int) -> Key.Code? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23...26: .function(number - 12)
        case 28, 29: .function(number - 13)
        case 31...34: .function(number - 14)
        default: nil
        }
    }

    /// Returns the key of a Unicode value, which newer terminals report.
    static func unicode(_ value: Int) -> Key.Code? {
        switch value {
        case 13: return .enter
        case 9: return .tab
        case 27: return .escape
        case 127, 8: return .backspace
        default:
            guard value >= 0x20, !(0xE000...0xF8FF).contains(value), value <= 0x10_FFFF else { return nil }
            return Unicode.Scalar(UInt32(value)).map { .character(Character($0)) }
        }
    }

    /// Returns the modifiers of a parameter, which is the bit mask plus 1.
    static func modifiers(_ parameter: Int) -> Key.Modifiers {
        guard parameter > 1 else { return [] }
        return Key.Modifiers(rawValue: UInt8((parameter - 1) & 7))
    }

    /// The terminfo capability names of keys whose sequences may differ.
    static let described: [(name: String, key: Key)] =
        [
            ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
            ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
            ("kdch1", Key(.delete)), ("kich1", Key(.insert)), ("kcbt", Key(.tab, .shift)),
        ] + (1...12).map { ("kf\($0)", Key(.function($0))) }
}
