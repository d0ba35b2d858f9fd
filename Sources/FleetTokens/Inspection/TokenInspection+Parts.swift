package import FleetWire

extension TokenInspection {
    /// The header, if it is a JSON object in base64 or base64url.
    package var header: JSONValue? { part(0) }

    /// The claims, if they are a JSON object in base64 or base64url.
    package var payload: JSONValue? { part(1) }

    /// The first eight hexadecimal digits of the token's SHA-256.
    package var fingerprint: String { tokenFingerprint(of: text.text) }

    /// Returns one of the first two parts; the third part, the signature, is never exposed.
    private func part(_ index: Int) -> JSONValue? {
        let parts = Base64URL.normalized(text.text).utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, text.count <= TokenClaims.maximumBytes,
            let value = Base64URL.decode(parts[index]).flatMap(JSONValue.init), case .object = value
        else { return nil }
        return value
    }
}
