import Foundation
import Runtime

/// The base64url encoding of JWTs: `-` and `_` replace `+` and `/`, without padding.
package enum Base64URL {
    /// Decodes strictly; returns `nil` for other characters, including padding, and for impossible lengths.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        let count = text.count
        guard count % 4 != 1 else { return nil }
        var standard: [UInt8] = []
        standard.reserveCapacity(count + 2)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        let padding = repeatElement(UInt8(ascii: "="), count: (4 - count % 4) % 4)
        return Data(base64Encoded: Data(standard + padding)).map(Array.init)
    }

    /// Encodes without padding.
    package static func encode(_ bytes: [UInt8]) -> String { normalized(Data(bytes).base64EncodedString()) }

    /// Converts standard base64 to base64url; valid base64url is returned unchanged.
    static func normalized(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes a JSON object; `nil` for anything else.
    static func object(in text: some Collection<UInt8>) -> JSONValue? {
        guard let value = decode(text).flatMap(JSONValue.init), case .object = value else { return nil }
        return value
    }
}
