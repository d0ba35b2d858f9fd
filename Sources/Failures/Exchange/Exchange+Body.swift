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

        private init(_ content: Content, _ message: String?, _ bytes: Int) {
            (self.content, self.message, self.bytes) = (content, message, bytes)
        }

        /// The body with the limits of this type, after it was read.
        var bounded: Body {
            let content: Content =
                switch content {
                case .empty: .empty
                case .text(let text):
                    .text(EvidenceText.text(text, limit: Self.longestText).prefix(bytes: Self.longestText))
                case .binary(let kind): .binary(kind: EvidenceText.line(kind, limit: 40))
                }
            return Body(
                content,
                message.map { EvidenceText.line($0, limit: Self.longestMessage) },
                EvidenceText.size(bytes)
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
