/// Converts terminal bytes to events; the result does not depend on how the bytes are split.
///
/// ```
/// ground ─ESC─▶ escape ─[─▶ control sequence ─final─▶ key, mouse, focus, paste, or an ignored reply
///                      ├O─▶ one more byte ──────────▶ key
///                      ├] P _ ^ X─▶ string ─BEL, ST─▶ an ignored reply
///                      └other─▶ Alt with that key
/// ```
///
/// Only time distinguishes an Escape key from the start of a sequence: ``timeout(escapeDelay:)`` is how long to wait before ``expire()``.
/// On a slow line the rest of a sequence comes later than that. For a second it is recognized and dropped: it is never keys.
package struct InputDecoder: Sendable {
    private enum State: Sendable {
        case ground
        case escape
        /// After an Escape key: the rest of a sequence that began with it may still arrive.
        case escaped
        /// A byte after an Escape key that is a key or the beginning of such a rest, which the next byte decides.
        case introducer(UInt8)
        case sequence
        case single
        case string(escaped: Bool)
        case paste
        case oldMouse(left: Int)
    }

    /// The maximum number of bytes of a paste; the rest is dropped.
    package static let maximumPasteBytes = 1 << 20
    /// The maximum length of a control sequence in bytes; a longer one is discarded.
    static let maximumSequenceBytes = 64
    /// The maximum length of a reply in bytes; a longer one is discarded.
    static let maximumStringBytes = 4096

    /// The time in milliseconds in which the rest of a sequence may arrive.
    private static let restTime = 1000
    /// The minimum time in milliseconds to wait for the byte after an Escape on a slow line.
    ///
    /// Users rarely type two keys that fast.
    private static let slowDelay = 100
    /// The time in milliseconds to wait for the byte after an introducer that came later than its Escape.
    private static let introducerDelay = 400

    private var state = State.ground
    /// Whether the wait for this sequence was over before, so that what is left of it is dropped.
    private var isLate = false
    /// Whether the rest of a sequence has come late.
    private var isSlow = false
    private var alt = false
    private var bytes: [UInt8] = []
    private var count = 0
    private var scalar: [UInt8] = []
    private var scalarLength = 0
    private let extraKeys: [[UInt8]: Key]

    /// Creates a decoder with additional key sequences from the terminal's terminfo entry.
    package init(extraKeys: [[UInt8]: Key] = [:]) {
        self.extraKeys = extraKeys
    }

    /// Returns the time in milliseconds without input after which ``expire()`` is due; `nil` if no sequence is incomplete.
    package func timeout(escapeDelay: Int) -> Int? {
        if isLate { return Self.restTime }
        let escapeDelay = isSlow ? max(escapeDelay, Self.slowDelay) : escapeDelay
        return switch state {
        case .ground: nil
        case .escape: escapeDelay
        case .escaped: Self.restTime
        case .introducer: max(escapeDelay, Self.introducerDelay)
        // Users do not type "Escape [" that fast, so slow connections get four times as long.
        case .single, .oldMouse: escapeDelay * 4
        case .sequence: bytes.count > 2 ? 1000 : escapeDelay * 4
        case .string: 1000
        case .paste: 2000
        }
    }

    /// Decodes bytes; returns the completed events.
    package mutating func feed(_ input: some Sequence<UInt8>) -> [TerminalEvent] {
        var events: [TerminalEvent] = []
        for byte in input {
            consume(byte, &events)
        }
        return events
    }

    /// Ends the wait: an Escape becomes a key, an incomplete sequence is dropped, an incomplete paste ends.
    package mutating func expire() -> [TerminalEvent] {
        if isLate {
            defer { reset() }
            if case .paste = state, !bytes.isEmpty { return [.paste(pasted())] }
            return []
        }
        switch state {
        case .escape:
            let key = Key(.escape, alt ? .alt : [])
            reset()
            state = .escaped
            return [.key(key)]
        case .introducer(let byte):
            reset()
            var events: [TerminalEvent] = InputTables.ascii(byte).map { [.key($0)] } ?? []
            // The rest may come even later. The rest of a string is any text, so that keys would be lost.
            if Self.keyIntroducers.contains(byte) {
                isLate = true
                consumeEscaped(byte, &events)
            }
            return events
        case .ground, .escaped:
            reset()
            return []
        case .single, .sequence, .string, .oldMouse, .paste: isLate = true
        }
        switch state {
        case .single: return [.key(Key("O", .alt))]
        case .sequence where bytes.count == 2: return [.key(Key("[", .alt))]
        case .paste:
            defer { bytes = [] }
            return [.paste(pasted())]
        default: return []
        }
    }

    private mutating func reset() {
        state = .ground
        isLate = false
        alt = false
        bytes = []
        count = 0
        scalarLength = 0
        scalar = []
    }

    private mutating func consume(_ byte: UInt8, _ events: inout [TerminalEvent]) {
        switch state {
        case .ground:
            if byte == 0x1B {
                reset()
                state = .escape
            } else {
                type(byte, &events)
            }
        case .escape: consumeEscaped(byte, &events)
        case .escaped:
            state = .ground
            if Self.introducers.contains(byte) { state = .introducer(byte) } else { consume(byte, &events) }
        case .introducer(let introducer):
            reset()
            if byte == 0x1B {
                type(introducer, &events)
                state = .escape
            } else if !Self.canFollow(introducer, byte) {
                type(introducer, &events)
                consume(byte, &events)
            } else {
                (isLate, isSlow) = (true, true)
                consumeEscaped(introducer, &events)
                consume(byte, &events)
            }
        case .sequence: consumeSequence(byte, &events)
        case .single:
            bytes.append(byte)
            if byte == 0x1B {
                reset()
                state = .escape
            } else {
                finish(extraKeys[bytes] ?? InputTables.single(byte), &events)
            }
        case .string(let escaped):
            count += 1
            if byte == 0x07 || byte == 0x18 || byte == 0x1A || (escaped && byte == 0x5C)
                || count > Self.maximumStringBytes
            {
                reset()
            } else {
                state = .string(escaped: byte == 0x1B)
            }
        case .paste: consumePaste(byte, &events)
        case .oldMouse(let left):
            if left <= 1 {
                reset()
            } else {
                state = .oldMouse(left: left - 1)
            }
        }
    }

    /// The bytes after ESC that begin the sequences of terminals: CSI, SS3, OSC, DCS and APC.
    private static let introducers: Set<UInt8> = [0x5B, 0x4F, 0x5D, 0x50, 0x5F]

    /// The introducers of the sequences that keys send: CSI and SS3.
    private static let keyIntroducers: Set<UInt8> = [0x5B, 0x4F]

    /// Whether a byte after an introducer that came late continues a sequence, and is not another key.
    private static func canFollow(_ introducer: UInt8, _ byte: UInt8) -> Bool {
        switch introducer {
        case 0x5D: (0x30...0x39).contains(byte)  // OSC begins with a number,
        case 0x50: "0123456789>!$+".utf8.contains(byte)  // DCS with parameters or the name of a request,
        case 0x5F: byte == 0x47  // and APC with the G of the graphics protocol.
        default: true
        }
    }

    private mutating func consumeEscaped(_ byte: UInt8, _ events: inout [TerminalEvent]) {
        switch byte {
        case 0x1B:
            // ESC ESC is Alt plus the key that follows. With a third ESC, the first one is an Escape key.
            if alt { events.append(.key(Key(.escape))) }
            alt = true
        case 0x5B:
            bytes = [0x1B, byte]
            state = .sequence
        case 0x4F:
            bytes = [0x1B, byte]
            state = .single
        case 0x5D, 0x50, 0x5F, 0x5E, 0x58:
            state = .string(escaped: false)
            count = 0
        default:
            state = .ground
            alt = true
            type(byte, &events)
        }
    }

    private mutating func consumeSequence(_ byte: UInt8, _ events: inout [TerminalEvent]) {
        switch byte {
        case 0x1B:
            reset()
            state = .escape
        case 0x5B where bytes.count == 2:
            // The Linux console's F1 to F5 are ESC [ [ A to E.
            bytes.append(byte)
        case 0x20...0x3F:
            bytes.append(byte)
            if bytes.count > Self.maximumSequenceBytes { bytes = [0x1B, 0x5B, 0x3F] }
        case 0x40...0x7E:
            bytes.append(byte)
            finishSequence(&events)
        case 0x18, 0x1A:
            reset()
        default:
            // A control character within a sequence is ignored.
            break
        }
    }

    private mutating func finishSequence(_ events: inout [TerminalEvent]) {
        if let key = extraKeys[bytes] {
            finish(key, &events)
            return
        }
        switch ControlSequence(bytes) {
        case .key(let key): finish(key, &events)
        case .mouse(let mouse):
            events.append(.mouse(mouse))
            reset()
        case .focus(let isFocused):
            events.append(.focus(isFocused))
            reset()
        case .pasteBegins:
            reset()
            state = .paste
        case .oldMouse:
            reset()
            state = .oldMouse(left: 3)
        case .reply: reset()
        }
    }

    private mutating func finish(_ key: Key?, _ events: inout [TerminalEvent]) {
        if isLate { isSlow = true }
        if var key, !isLate {
            if alt { key.modifiers.insert(.alt) }
            events.append(.key(key))
        }
        reset()
    }

    private mutating func consumePaste(_ byte: UInt8, _ events: inout [TerminalEvent]) {
        let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
        // `count` is the number of matched bytes of the end marker; matched bytes are withheld until the match is decided.
        if byte == end[count] {
            count += 1
            guard count == end.count else { return }
            events.append(.paste(pasted()))
            reset()
            return
        }
        keep(end[..<count])
        if byte == end[0] {
            count = 1
        } else {
            count = 0
            keep([byte])
        }
    }

    private mutating func keep(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more.prefix(max(0, Self.maximumPasteBytes - bytes.count)))
    }

    private func pasted() -> String { String(decoding: bytes, as: UTF8.self) }

    /// Decodes a byte outside of sequences: a control character, ASCII, or part of a UTF-8 scalar.
    private mutating func type(_ byte: UInt8, _ events: inout [TerminalEvent]) {
        if scalarLength > 0, byte & 0xC0 == 0x80 {
            scalar.append(byte)
            guard scalar.count == scalarLength else { return }
            let text = String(validating: scalar, as: UTF8.self)
            scalarLength = 0
            scalar = []
            guard let character = text?.first else {
                alt = false
                return
            }
            finish(Key(character), &events)
            return
        }
        // The Escape before a scalar that is cut off is not for the next key.
        if scalarLength > 0 { alt = false }
        scalarLength = 0
        scalar = []
        switch byte {
        case 0xC2...0xDF: begin(byte, length: 2)
        case 0xE0...0xEF: begin(byte, length: 3)
        case 0xF0...0xF4: begin(byte, length: 4)
        case 0x80...: alt = false
        default: finish(InputTables.ascii(byte), &events)
        }
    }

    private mutating func begin(_ byte: UInt8, length: Int) {
        scalar = [byte]
        scalarLength = length
    }
}
