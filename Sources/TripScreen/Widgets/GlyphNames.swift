import Canvas

/// The names of the character sets on the screen's command line.
enum GlyphNames {
    static let all = ["braille", "sextants", "blocks", "ascii"]

    /// Returns a character set by name; `nil` if there is none.
    static func level(_ name: String) -> GlyphSet.Level? {
        switch name {
        case "braille": .braille
        case "sextants": .sextants
        case "blocks": .blocks
        case "ascii": .ascii
        default: nil
        }
    }
}
