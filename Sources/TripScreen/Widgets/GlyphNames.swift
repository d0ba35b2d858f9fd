import Canvas

/// The names of the sets of characters, on the command line of the screen.
enum GlyphNames {
    static let all = ["braille", "sextants", "blocks", "ascii"]

    /// The set of a name; `nil` where there is none.
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
