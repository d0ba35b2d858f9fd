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
