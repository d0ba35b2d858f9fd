extension Exchange {
    /// The content of an unusable answer.
    public struct Body: Sendable, Equatable, Codable {
        /// The maximum number of bytes that are stored as text.
        public static let longestText = 2048
        /// The maximum number of characters of a message.
        public static let longestMessage = 500

        /// What a body consists of.
        public enum Content: Sendable, Equatable {
            /// There is none.
            case empty
            /// Its beginning, redacted.
            case text(String)
            /// Data that is not text, by its kind, such as `gzip`.
            case binary(kind: String)
        }

        /// Its content.
        public let content: Content
        /// The message that it has for a reader; `nil` if there is none.
        public let message: String?
        /// Its size in bytes.
        public let bytes: Int
    }
}

extension Exchange.Body {
    /// Describes a body of a media type.
    init(_ body: [UInt8], mediaType: String?) {
        bytes = body.count
        let beginning = body.prefix(Self.longestText + EvidenceText.margin)
        guard !body.isEmpty else {
            (content, message) = (.empty, nil)
            return
        }
        if let kind = BinaryKind.name(of: beginning, mediaType: mediaType) {
            (content, message) = (.binary(kind: kind), nil)
            return
        }
        let text = EvidenceText.text(String(decoding: beginning, as: UTF8.self), limit: Self.longestText)
        content = .text(text.prefix(bytes: Self.longestText))
        message = BodyMessage.find(in: body).map { EvidenceText.line($0, limit: Self.longestMessage) }
    }

    /// The body with the limits of this type, after it was read.
    var bounded: Self {
        let content: Content =
            switch content {
            case .empty: .empty
            case .text(let text):
                .text(EvidenceText.text(text, limit: Self.longestText).prefix(bytes: Self.longestText))
            case .binary(let kind): .binary(kind: EvidenceText.line(kind, limit: 40))
            }
        return Self(
            content: content,
            message: message.map { EvidenceText.line($0, limit: Self.longestMessage) },
            bytes: EvidenceText.size(bytes)
        )
    }

    /// What it is in a few words, such as `1.2 kB of gzip`; `nil` if it is text.
    public var summary: String? {
        switch content {
        case .empty: "nothing"
        case .text: nil
        case .binary(let kind): "\(Self.size(bytes)) of \(kind)"
        }
    }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(Self.tenths(bytes, of: 1000)) kB"
        default: "\(Self.tenths(bytes, of: 1_000_000)) MB"
        }
    }

    private static func tenths(_ bytes: Int, of unit: Int) -> String {
        let tenths = (bytes * 10 + unit / 2) / unit
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension String {
    /// Returns the longest beginning with at most this many bytes of UTF-8.
    fileprivate func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = unicodeScalars.startIndex
        var size = 0
        while end < unicodeScalars.endIndex {
            size += UTF8.width(unicodeScalars[end])
            guard size <= limit else { break }
            end = unicodeScalars.index(after: end)
        }
        return String(unicodeScalars[..<end])
    }
}

/// Recognizes data that is not text by its first bytes.
enum BinaryKind {
    /// The first bytes of known kinds.
    private static let signatures: [(bytes: [UInt8], kind: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x89, 0x50, 0x4E, 0x47], "PNG"),
        ([0xFF, 0xD8, 0xFF], "JPEG"), (Array("GIF8".utf8), "GIF"), (Array("%PDF".utf8), "PDF"),
        ([0x50, 0x4B, 0x03, 0x04], "ZIP"), ([0xFF, 0xFE], "UTF-16 text"), ([0xFE, 0xFF], "UTF-16 text"),
        ([0x15, 0x03], "TLS"), ([0x16, 0x03], "TLS"),
    ]

    /// Returns the kind of data; `nil` if it is text in UTF-8, whose last character may be cut off.
    ///
    /// - Parameters:
    ///   - beginning: The first bytes.
    ///   - mediaType: The declared media type, which names data without a known signature.
    /// - Returns: The kind.
    static func name(of beginning: ArraySlice<UInt8>, mediaType: String?) -> String? {
        if let known = signatures.first(where: { beginning.starts(with: $0.bytes) }) { return known.kind }
        guard !isText(beginning) else { return nil }
        let isDeclaredText = mediaType.map { $0.hasPrefix("text/") || $0.hasSuffix("json") } ?? true
        return isDeclaredText ? "binary data" : mediaType
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.contains(0) else { return false }
        // Up to three bytes of the last character may be missing.
        return (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }
}

extension Exchange {
    /// The maximum number of quoted headers.
    private static let mostQuoted = 3

    /// The headers that say who answered and what it wants, in the order in which they are quoted.
    private static let informative = [
        "location", "www-authenticate", "proxy-authenticate", "allow", "cf-mitigated", "x-amzn-errortype",
        "x-amzn-waf-action", "x-goog-iap-generated-response", "content-encoding", "server", "via", "x-powered-by",
    ]

    /// What the answer shows besides its status, in its own words: its message, its kind if it is no text, and the headers that
    /// say who sent it; `nil` if it shows nothing.
    package var quotation: String? { quotation(hasMessage: true) }

    /// What the answer shows besides its status; without its message for a sentence that has it already.
    package func quotation(hasMessage: Bool) -> String? {
        guard let answer else { return nil }
        let isEmpty = answer.body.map { $0.content == .empty } ?? true
        var parts = isEmpty || !hasMessage ? [] : [answer.body?.message ?? answer.body?.summary].compactMap(\.self)
        if answer.mediaType == "text/html" { parts.append("text/html") }
        let headers = Self.informative.compactMap { name in answer.header(name).map { "\(name): \($0)" } }
        parts += headers.prefix(Self.mostQuoted)
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}
