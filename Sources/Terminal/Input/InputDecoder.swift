/// Converts terminal bytes to events; the result does not depend on how the bytes are split.
///
/// ```
/// ground ─ESC─▶ escape ─[─▶ control sequence ─final─▶ key, mouse, focus, paste, or an ignored reply
///                      ├O─▶ one more byte ──────────▶ key
///                      ├] P _ ^ X─▶ string ─BEL, ST─▶ the background, or an ignored reply
///                      └other─▶ Alt with that key
/// ```
///
/// Only time distinguishes an Escape key from the start of a sequence: ``timeout(escapeDelay:)`` is how long to wait before ``expire()``.
/// On a slow line the rest of a sequence comes later than that. For a second it is recognized and dropped: it is never keys.
package struct InputDecoder: Sendable {
    enum State: Sendable {
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

    var state = State.ground
    /// Whether the wait for this sequence was over before, so that what is left of it is dropped.
    var isLate = false
    /// Whether the rest of a sequence has come late.
    var isSlow = false
    var alt = false
    var bytes: [UInt8] = []
    var count = 0
    var scalar: [UInt8] = []
    var scalarLength = 0
    let extraKeys: [[UInt8]: Key]

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

    mutating func reset() {
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
            if byte == 0x07 || escaped && byte == 0x5C {
                finishString(&events)
            } else if byte == 0x18 || byte == 0x1A || count > Self.maximumStringBytes {
                reset()
            } else {
                state = .string(escaped: byte == 0x1B)
                // With the introducer and the beginning of the end; one byte more tells that a string is longer.
                if bytes.count < Background.maximumAnswerBytes + 3 { bytes.append(byte) }
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
}
