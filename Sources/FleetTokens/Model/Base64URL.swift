import FleetWire
import Foundation

/// The base64url encoding of JWTs: `-` and `_` replace `+` and `/`, without padding.
package enum Base64URL {
    private static let standardCharacters = Array("+/".utf8)
    private static let urlCharacters = Array("-_".utf8)
    private static let padding = UInt8(ascii: "=")

    /// Decodes strictly; returns `nil` for other characters, including padding, and for impossible lengths.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1, !text.contains(where: { $0 == padding || standardCharacters.contains($0) }) else {
            return nil
        }
        let standard = replacing(urlCharacters, with: standardCharacters, in: text)
        let whole = standard + repeatElement(padding, count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: Data(whole)).map(Array.init)
    }

    /// Encodes without padding.
    package static func encode(_ bytes: [UInt8]) -> String { normalized(Data(bytes).base64EncodedString()) }

    /// Converts standard base64 to base64url; valid base64url is returned unchanged.
    static func normalized(_ text: String) -> String {
        let bytes = replacing(standardCharacters, with: urlCharacters, in: text.utf8.filter { $0 != padding })
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a JSON object; `nil` for anything else.
    static func object(in text: some Collection<UInt8>) -> JSONValue? {
        guard let value = decode(text).flatMap(JSONValue.init), case .object = value else { return nil }
        return value
    }

    private static func replacing(_ old: [UInt8], with new: [UInt8], in text: some Collection<UInt8>) -> [UInt8] {
        text.map { byte in old.firstIndex(of: byte).map { new[$0] } ?? byte }
    }
}
