import Foundation

/// The addresses of links.
package enum LinkAddress {
    /// Returns the `file://` address of a path, with the name of this machine, because the terminal may run on another one.
    ///
    /// - Parameters:
    ///   - path: The path; a relative one is in `folder`.
    ///   - folder: The current folder.
    /// - Returns: The address.
    package static func file(_ path: String, in folder: String = FileManager.default.currentDirectoryPath) -> String {
        let whole = path.hasPrefix("/") ? path : folder + "/" + path
        return "file://" + host + escaped(whole)
    }

    /// Returns the address of a page about an ID; `nil` if the template is no web address.
    ///
    /// - Parameters:
    ///   - id: The ID, which is untrusted.
    ///   - template: The address with a placeholder for the ID: `https://example.com/trips/{tripId}`.
    /// - Returns: The address.
    package static func page(of id: String, _ template: String) -> String? {
        guard ["https://", "http://"].contains(where: template.lowercased().hasPrefix) else { return nil }
        return template.replacing("{tripId}", with: escaped(id).replacing("/", with: "%2F"))
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte >> 4) + hexadecimal(byte & 15)
        }.joined()
    }

    /// The name of this machine; empty, which means this machine, if it has none.
    private static let host: String = {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return name.allSatisfy { isPlain($0) && $0 != 0x2F } ? String(decoding: name, as: UTF8.self) : ""
    }()

    private static func hexadecimal(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

    /// Whether a byte is itself in the path of an address (RFC 3986).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~/".utf8.contains(byte)
        }
    }
}
