/// Whether the background of a terminal is dark or light.
package enum Background: String, Sendable, Hashable, CaseIterable {
    case dark, light

    /// The theme for it.
    package var theme: Theme.Name {
        switch self {
        case .dark: .dark
        case .light: .light
        }
    }

    /// The maximum length of an answer in bytes, without the introducer and the end.
    static let maximumAnswerBytes = 48

    /// Reads the answer to the query of the background color (OSC 11), without the introducer and the end: `11;rgb:1010/1414/1818`.
    ///
    /// A component has one to four hexadecimal digits, of which the largest number means full intensity (XParseColor). Some
    /// terminals add an alpha component, which is not used.
    init?(answer bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.maximumAnswerBytes else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = ["11;rgb": 3, "11;rgba": 4][parts[0]] else { return nil }
        let components = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        let intensities = components.compactMap(Self.intensity)
        guard components.count == count, intensities.count == count else { return nil }
        // The luma of Rec. 601, from 0 to 1.
        let luma = 0.299 * intensities[0] + 0.587 * intensities[1] + 0.114 * intensities[2]
        self = luma > 0.5 ? .light : .dark
    }

    /// Reads the parameters of a report about the color scheme (mode 2031): `?997;1` for dark, `?997;2` for light.
    init?(report parameters: some Collection<UInt8>) {
        switch String(decoding: parameters, as: UTF8.self) {
        case "?997;1": self = .dark
        case "?997;2": self = .light
        default: return nil
        }
    }

    /// Returns the intensity of a component, from 0 to 1.
    private static func intensity(_ digits: Substring) -> Double? {
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy(isHexadecimal),
            let value = Int(digits, radix: 16)
        else { return nil }
        return Double(value) / Double(1 << (4 * digits.utf8.count) - 1)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
