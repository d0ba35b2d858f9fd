/// What the terminal tells us.
package enum TerminalEvent: Sendable, Equatable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something; only if it was asked for.
    case mouse(Mouse)
    /// Text was pasted, at most 1 MiB of it; it comes from outside and may hold anything.
    case paste(String)
    /// The terminal's window got or lost the keyboard.
    case focus(Bool)
    /// The screen has another size now; also sent once at the start.
    case resized(width: Int, height: Int)
    /// A signal asks for the end: SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT.
    ///
    /// Close the screen and exit with 128 + `signal` (SIGINT: 130). Without ``Screen/close()`` within a second the
    /// process dies of the signal by itself, and no later than 5 seconds after it even then.
    case interrupted(signal: Int32)
    /// The screen is ours again after Ctrl-Z and `fg`; a frame was drawn already, but time has passed.
    case resumed
    /// The terminal has gone: its window was closed or its connection lost. Exit with 129; the same second is given.
    case hangup
}

/// A key with its modifiers.
package struct Key: Sendable, Hashable {
    /// Which key.
    package enum Code: Sendable, Hashable {
        /// A letter, digit, sign or blank as typed; shift is in the letter.
        case character(Character)
        case enter, tab, escape, backspace, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// F1 to F20.
        case function(Int)
    }

    /// What was held.
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

    /// The key that types this character.
    package init(_ character: Character, _ modifiers: Modifiers = []) {
        self.init(.character(character), modifiers)
    }
}

/// Something the mouse did, in cells from the upper left corner.
package struct Mouse: Sendable, Hashable {
    /// What it did.
    package enum Action: Sendable, Hashable {
        case press(Button)
        case release(Button)
        /// Moved with the button held.
        case drag(Button)
        case wheelUp, wheelDown, wheelLeft, wheelRight
    }

    /// Which button.
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
