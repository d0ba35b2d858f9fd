/// The characters for the eight dots of a cell.
///
/// The bits are the bits of Unicode braille: 0, 1, 2 and 6 in the left column, 3, 4, 5 and 7 in the right one.
enum DotShapes {
    /// Returns the character for a non-empty mask, always of width 1.
    static func text(_ mask: UInt8, _ level: GlyphSet.Level) -> String {
        switch level {
        case .braille: braille[Int(mask)]
        case .sextants: sextant(mask)
        case .blocks: halfBlock(mask)
        case .ascii: line(mask)
        }
    }

    /// Returns the character for every cell of a line, where the shape of its dots does not distinguish the line from others.
    static func text(of role: Role, _ level: GlyphSet.Level, isMonochrome: Bool) -> String? {
        switch level {
        case .braille: nil
        case .sextants: isMonochrome ? monochromeLines[role] : nil
        case .blocks: (isMonochrome ? monochromeLines[role] : nil) ?? blockLines[role]
        case .ascii: asciiLines[role]
        }
    }

    /// Large dots without colors: a base map has small signs, the driven way has large ones, and only the way ahead is solid.
    private static let monochromeLines: [Role: String] = [
        .basemap: "·", .roadPath: "·", .roadMedium: "·", .roadMajor: ":", .rail: "+", .water: "~", .building: "'",
        .trail: "•", .routeDriven: "•",
    ]

    /// Half blocks are as long as the gaps of a jam, and too large for dots that only give the sense of scale.
    private static let blockLines: [Role: String] = [
        .trafficJam: "▒", .graticule: "·", .vehicleEstimated: "░",
    ]

    /// The characters of lines other than the route in ASCII, which draws all lines with the same few characters.
    ///
    /// Streets have dots and the driven way has letters, because ASCII terminals often have no colors.
    private static let asciiLines: [Role: String] = [
        .basemap: ".", .roadPath: ".", .roadMedium: ".", .roadMajor: ":", .rail: "+", .water: "~", .building: "'",
        .graticule: ".", .trail: "x", .routeDriven: "x", .trafficSlow: "*", .trafficJam: "#",
        .vehicleEstimated: "o",
    ]

    private static let braille = (0..<256).map { String(Character(Unicode.Scalar(0x2800 + UInt32($0)) ?? " ")) }

    /// Combines the two middle rows of dots; the sextant block lacks characters that other blocks contain.
    private static func sextant(_ mask: UInt8) -> String {
        var shape: UInt32 = 0
        for (bit, dots) in [0x01, 0x08, 0x06, 0x30, 0x40, 0x80].enumerated() where Int(mask) & dots != 0 {
            shape |= 1 << UInt32(bit)
        }
        switch shape {
        case 0b01_0101: return "▌"
        case 0b10_1010: return "▐"
        case 0b11_1111: return "█"
        default:
            let skipped: UInt32 = shape > 0b10_1010 ? 3 : shape > 0b01_0101 ? 2 : 1
            return String(Character(Unicode.Scalar(0x1FB00 + shape - skipped) ?? " "))
        }
    }

    private static func halfBlock(_ mask: UInt8) -> String {
        switch (mask & 0b0001_1011 != 0, mask & 0b1110_0100 != 0) {
        case (true, true): "█"
        case (true, false): "▀"
        default: "▄"
        }
    }

    /// Returns the line character that best matches the dots.
    private static func line(_ mask: UInt8) -> String {
        if mask.nonzeroBitCount >= 7 { return "#" }
        let left = [mask & 0x01, mask & 0x02, mask & 0x04, mask & 0x40].map { $0 != 0 }
        let right = [mask & 0x08, mask & 0x10, mask & 0x20, mask & 0x80].map { $0 != 0 }
        let rows = (0..<4).filter { left[$0] || right[$0] }
        guard let top = rows.first, let bottom = rows.last else { return " " }
        if top == bottom {
            if top == 0 { return mask.nonzeroBitCount == 1 ? "'" : "-" }
            if top == 3 { return mask.nonzeroBitCount == 1 ? "." : "_" }
            return mask.nonzeroBitCount == 1 ? "." : "-"
        }
        guard let leftMiddle = middle(left), let rightMiddle = middle(right) else { return "|" }
        if leftMiddle == rightMiddle { return bottom - top >= 2 ? "|" : "-" }
        return leftMiddle > rightMiddle ? "/" : "\\"
    }

    /// Returns the sum of the lowest and the highest row of a column, twice its middle.
    private static func middle(_ column: [Bool]) -> Int? {
        guard let first = column.firstIndex(of: true), let last = column.lastIndex(of: true) else { return nil }
        return first + last
    }
}
