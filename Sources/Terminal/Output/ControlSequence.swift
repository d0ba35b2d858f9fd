package import Canvas
import Runtime

/// The meaning of a complete control sequence (`ESC [` … final byte).
enum ControlSequence: Equatable {
    case key(Key)
    case mouse(Mouse)
    case focus(Bool)
    case pasteBegins
    /// A mouse report in the original encoding: three bytes follow.
    case oldMouse
    /// A report about the color scheme of the terminal.
    case background(Background)
    /// Another reply of the terminal or an unknown sequence, which is not a key.
    case reply

    /// Parses a complete sequence, including `ESC [`.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 3, let final = bytes.last else {
            self = .reply
            return
        }
        let body = bytes[2..<(bytes.count - 1)]
        if body.first == 0x5B {
            self = Self.linuxFunction(final).map(Self.key) ?? .reply
        } else if body.first == 0x3C {
            self = Self.mouse(Self.numbers(body.dropFirst()), isPress: final == 0x4D) ?? .reply
        } else if final == 0x6E, let background = Background(report: body) {
            self = .background(background)
        } else if body.contains(where: { !(0x30...0x3B).contains($0) }) {
            // Private replies begin with ? > =; sequences with $ or blanks in the middle are replies, too.
            self = .reply
        } else {
            self = Self.plain(Self.numbers(body), final, isBare: body.isEmpty)
        }
    }

    private static func plain(_ numbers: [Int], _ final: UInt8, isBare: Bool) -> ControlSequence {
        let modifiers = InputTables.modifiers(numbers.count > 1 ? numbers[1] : 1)
        switch final {
        case 0x4D where isBare: return .oldMouse
        case 0x49 where isBare: return .focus(true)
        case 0x4F where isBare: return .focus(false)
        case 0x5A: return .key(Key(.tab, .shift))
        case 0x75: return InputTables.unicode(numbers.first ?? 0).map { .key(Key($0, modifiers)) } ?? .reply
        case 0x7E:
            if numbers.first == 200 { return .pasteBegins }
            if numbers.first == 27, numbers.count == 3 {
                return InputTables.unicode(numbers[2]).map { .key(Key($0, modifiers)) } ?? .reply
            }
            return InputTables.numbered(numbers.first ?? 0).map { .key(Key($0, modifiers)) } ?? .reply
        case 0x61...0x64:
            // rxvt: arrow keys with Shift.
            return .key(Key([.up, .down, .right, .left][Int(final) - 0x61], .shift))
        case 0x52 where numbers.first != 1 || numbers.count != 2 || numbers[1] < 2 || numbers[1] > 16:
            // Without a modifier, ESC [ row ; column R is a cursor position report.
            return isBare ? .key(Key(.function(3))) : .reply
        default:
            guard let code = InputTables.lettered(final), isBare || numbers.first ?? 1 == 1 else { return .reply }
            return .key(Key(code, modifiers))
        }
    }

    private static func linuxFunction(_ final: UInt8) -> Key? {
        (0x41...0x45).contains(final) ? Key(.function(Int(final) - 0x40)) : nil
    }

    private static func mouse(_ numbers: [Int], isPress: Bool) -> ControlSequence? {
        guard numbers.count == 3, numbers[1] >= 1, numbers[2] >= 1 else { return nil }
        let code = numbers[0]
        var modifiers: Key.Modifiers = []
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let action: Mouse.Action
        if code & 64 != 0 {
            guard isPress, code & 128 == 0 else { return nil }
            action = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight][code & 3]
        } else {
            guard code & 3 < 3, code & 128 == 0 else { return nil }
            let button: Mouse.Button = [.left, .middle, .right][code & 3]
            action = code & 32 != 0 ? .drag(button) : isPress ? .press(button) : .release(button)
        }
        return .mouse(Mouse(action: action, x: numbers[1] - 1, y: numbers[2] - 1, modifiers: modifiers))
    }

    /// Returns the parameters; missing ones are 0, values above 99,999 are clamped, text after a colon is ignored.
    private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
        body.split(separator: 0x3B, omittingEmptySubsequences: false).map { part in
            part.prefix { $0 != 0x3A }.reduce(0) { min($0 * 10 + Int($1 &- 0x30), 99_999) }
        }
    }
}

/// A bell and a desktop notification (OSC 9).
struct Notification {
    /// The maximum number of scalars of a message.
    private static let maximumLength = 200

    /// Returns the bytes; without the message if the terminal would print it or supports only ASCII.
    ///
    /// The message begins with the program's name, because some terminals interpret a leading digit and semicolon as another
    /// command.
    static func bytes(_ message: String, _ capabilities: Capabilities) -> [UInt8] {
        let bell: [UInt8] = [0x07]
        guard capabilities.hasNotifications else { return bell }
        let text = Printable.clean(message, limit: maximumLength)
        return bell + Array("\u{1B}]9;tripshare: \(text)\u{1B}\\".utf8)
    }
}

/// The text that turns one screen into another on a terminal with true colors, for recordings of terminals.
package struct TerminalText {
    private let theme: Theme

    /// Creates a text in the colors of a theme.
    package init(_ theme: Theme) { self.theme = theme }

    /// Returns the text that turns `old` into `canvas`; without `old`, it clears the terminal first.
    package func text(of canvas: Canvas, since old: Canvas? = nil) -> String {
        let isComplete = old.map { $0.width != canvas.width || $0.height != canvas.height } ?? true
        var text = isComplete ? "\u{1B}[?25l\u{1B}[0m\u{1B}[2J" : ""
        for run in canvas.runs(since: isComplete ? nil : old) {
            text += "\u{1B}[\(run.y + 1);\(run.x + 1)H" + codes(theme.style(run.role, on: run.ground, at: .truecolor))
            text += run.text
        }
        return text
    }

    private func codes(_ style: Theme.Style) -> String {
        var codes = ["0"]
        if style.attributes.contains(.bold) { codes.append("1") }
        if style.attributes.contains(.dim) { codes.append("2") }
        if style.attributes.contains(.underline) { codes.append("4") }
        if style.attributes.contains(.reverse) { codes.append("7") }
        if style.foreground >= 0 { codes.append("38;2;" + Self.channels(style.foreground)) }
        if style.background >= 0 { codes.append("48;2;" + Self.channels(style.background)) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }

    private static func channels(_ rgb: Int) -> String { "\(rgb >> 16 & 0xFF);\(rgb >> 8 & 0xFF);\(rgb & 0xFF)" }
}
