/// An event of the terminal.
package enum TerminalEvent: Sendable, Equatable {
    /// A key press.
    case key(Key)
    /// A mouse event; only if mouse reports are enabled.
    case mouse(Mouse)
    /// Pasted text, at most 1 MiB; it is untrusted.
    case paste(String)
    /// The terminal window gained or lost the keyboard focus.
    case focus(Bool)
    /// The size of the screen; also sent once at the start.
    case resized(width: Int, height: Int)
    /// A signal requests the end: SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT.
    ///
    /// Close the screen and exit with 128 + `signal` (SIGINT: 130). If ``Screen/close()`` is not called within 1 s, the signal
    /// ends the process. It ends the process in any case after 5 s.
    case interrupted(signal: Int32)
    /// The screen was restored after Ctrl-Z and `fg`; a frame was already drawn, but time has passed.
    case resumed
    /// The terminal is gone: its window was closed or its connection lost.
    ///
    /// Exit with 129; the timeout is also 1 s.
    case hangup
}

/// A key with its modifiers.
package struct Key: Sendable, Hashable {
    /// The key.
    package enum Code: Sendable, Hashable {
        /// A letter, digit, sign or blank as typed; Shift is included in the letter.
        case character(Character)
        case enter, tab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 to F20.
        case function(Int)
    }

    /// The modifiers.
    package struct Modifiers: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
    }

    package var code: Code
    package var modifiers: Modifiers

    package init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// The key that types a character.
    package init(_ character: Character, _ modifiers: Modifiers = []) {
        self.init(.character(character), modifiers)
    }
}

/// A mouse event, in cells from the upper left corner.
package struct Mouse: Sendable, Hashable {
    /// The kind of event.
    package enum Action: Sendable, Hashable {
        case press(Button)
        case release(Button)
        /// A movement with the button held.
        case drag(Button)
        case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    /// The button.
    package enum Button: Sendable, Hashable {
        case left, middle, right
    }

    package var action: Action
    package var x: Int
    package var y: Int
    package var modifiers: Key.Modifiers

    package init(_ action: Action, x: Int, y: Int, modifiers: Key.Modifiers = []) {
        self.action = action
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}
