extension InputDecoder {
    /// Whether a byte after an introducer that came late continues a sequence, and is not another key.
    static func canFollow(_ introducer: UInt8, _ byte: UInt8) -> Bool {
        switch introducer {
        case 0x5D: (0x30...0x39).contains(byte)  // OSC begins with a number,
        case 0x50: "0123456789>!$+".utf8.contains(byte)  // DCS with parameters or the name of a request,
        case 0x5F: byte == 0x47  // and APC with the G of the graphics protocol.
        default: true
        }
    }

    mutating func consumeEscaped(_ byte: UInt8, _ events: inout [TerminalEvent]) {
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
            bytes = [byte]
            count = 0
        default:
            state = .ground
            alt = true
            type(byte, &events)
        }
    }

    mutating func consumeSequence(_ byte: UInt8, _ events: inout [TerminalEvent]) {
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
        case .background(let background):
            events.append(.background(background))
            reset()
        case .reply: reset()
        }
    }

    /// Ends a string: an answer of the terminal about its background, or one that is ignored.
    mutating func finishString(_ events: inout [TerminalEvent]) {
        if bytes.last == 0x1B { bytes.removeLast() }
        if !isLate, bytes.first == 0x5D, let background = Background(answer: bytes.dropFirst()) {
            events.append(.background(background))
        }
        reset()
    }

    mutating func finish(_ key: Key?, _ events: inout [TerminalEvent]) {
        if isLate { isSlow = true }
        if var key, !isLate {
            if alt { key.modifiers.insert(.alt) }
            events.append(.key(key))
        }
        reset()
    }

    mutating func consumePaste(_ byte: UInt8, _ events: inout [TerminalEvent]) {
        let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
        // `count` is the number of matched bytes of the end marker; matched bytes are withheld until the match is decided.
        if byte == end[count] {
            count += 1
            guard count == end.count else { return }
            events.append(.paste(pasted()))
            reset()
            return
        }
        store(end[..<count])
        if byte == end[0] {
            count = 1
        } else {
            count = 0
            store([byte])
        }
    }

    private mutating func store(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more.prefix(max(0, Self.maximumPasteBytes - bytes.count)))
    }

    func pasted() -> String { String(decoding: bytes, as: UTF8.self) }

    /// Decodes a byte outside of sequences: a control character, ASCII, or part of a UTF-8 scalar.
    mutating func type(_ byte: UInt8, _ events: inout [TerminalEvent]) {
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

    mutating func begin(_ byte: UInt8, length: Int) {
        scalar = [byte]
        scalarLength = length
    }
}
