package import Canvas

/// The names of the character sets on the screen's command line and in recordings.
package enum GlyphNames {
    /// All names.
    package static let all = ["braille", "sextants", "blocks", "ascii"]

    /// Returns a character set by name; `nil` if there is none.
    package static func level(_ name: String) -> GlyphSet.Level? {
        switch name {
        case "braille": .braille
        case "sextants": .sextants
        case "blocks": .blocks
        case "ascii": .ascii
        default: nil
        }
    }

    /// Returns the name of a character set.
    package static func name(of level: GlyphSet.Level) -> String {
        switch level {
        case .braille: "braille"
        case .sextants: "sextants"
        case .blocks: "blocks"
        case .ascii: "ascii"
        }
    }
}
