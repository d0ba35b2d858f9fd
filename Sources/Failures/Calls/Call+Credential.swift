extension Call {
    /// A token, without the token.
    package struct Credential: Sendable, Equatable, Codable {
        /// What it is: `jwt`, another kind of credential in its place, such as `api_key`, or `unknown`.
        package let kind: String
        /// The first eight hexadecimal digits of its SHA-256.
        package let fingerprint: String

        /// Creates a description of a token.
        package init(kind: String, fingerprint: String) {
            self.kind = EvidenceText.line(kind, limit: 40)
            self.fingerprint = EvidenceText.line(fingerprint, limit: 16)
        }

        /// The description with the limits of this type, after it was read.
        var bounded: Credential { Credential(kind: kind, fingerprint: fingerprint) }
    }
}
