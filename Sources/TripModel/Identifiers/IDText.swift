import Foundation
import Runtime

/// What the characters of an ID look like, although the service would accept it.
package enum IDText {
    /// Returns whether an ID is `*`, also between spaces or characters that cannot be seen, percent-encoded, or in another width.
    ///
    /// A reader of the claim may decode or normalize these and grant access to everything.
    package static func isWildcard(_ id: String) -> Bool {
        var text = id
        // Each round removes characters, so that it ends.
        while let decoded = PercentEncoding.decode(text[...]), decoded != text { text = decoded }
        let visible = text.precomposedStringWithCompatibilityMapping.unicodeScalars.filter { !isBlank($0) }
        return visible.elementsEqual("*".unicodeScalars)
    }

    /// Returns whether a character is a control character.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    /// Returns whether a character shows nothing; the empty pattern of Braille is no white space.
    package static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint || isControl(scalar)
            || scalar.properties.generalCategory == .format || scalar == "\u{2800}"
    }
}
