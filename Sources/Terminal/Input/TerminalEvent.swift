import DequeModule

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
    /// The terminal has told its background: an answer to a query, or a report that it has changed.
    case background(Background)
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
    package var modifiers: Key.Modifiers = []
}

/// The latest bytes from the terminal, so that those whose events were not handled can be given to another program.
struct InputLog: Sendable {
    private struct Chunk: Sendable {
        var bytes: [UInt8]
        /// The number of all events before this chunk and with it.
        var begin: Int
        var end: Int
    }

    /// The maximum number of stored bytes.
    static let maximumBytes = 16 << 10
    /// The maximum length of a chunk whose events are counted one by one.
    static let longestCounted = 1024

    private var chunks: Deque<Chunk> = []
    private var size = 0
    private var count = 0

    /// Adds bytes and the number of events that they completed; the oldest bytes are dropped if there are too many.
    mutating func add(_ bytes: [UInt8], events: Int) {
        chunks.append(Chunk(bytes: bytes, begin: count, end: count + events))
        count += events
        size += bytes.count
        while size > Self.maximumBytes || chunks.count > Self.longestCounted, let first = chunks.first {
            size -= first.bytes.count
            chunks.removeFirst()
        }
    }

    /// Returns the bytes of the events after the first ones.
    ///
    /// - Parameters:
    ///   - handled: The number of events that were handled.
    ///   - decoder: A decoder without input; it finds the end of the last handled event in a chunk with further ones.
    /// - Returns: The bytes, in order.
    func bytes(after handled: Int, _ decoder: InputDecoder) -> [UInt8] {
        chunks.reduce(into: []) { rest, chunk in
            if chunk.begin >= handled {
                rest += chunk.bytes
            } else if chunk.end > handled, chunk.bytes.count <= Self.longestCounted {
                let length = chunk.bytes.indices.first { index in
                    var decoder = decoder
                    return decoder.feed(Array(chunk.bytes[...index])).count >= handled - chunk.begin
                }
                rest += chunk.bytes.dropFirst((length ?? chunk.bytes.count - 1) + 1)
            }
        }
    }
}
