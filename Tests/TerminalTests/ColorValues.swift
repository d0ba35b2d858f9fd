import Foundation
import Terminal

/// The colors of swatches as terminals draw them by default.
enum ColorValues {
    /// Returns a color as 0xRRGGBB.
    static func rgb(_ swatch: Theme.Swatch, _ depth: ColorDepth) -> Int {
        switch depth {
        case .truecolor, .mono: return swatch.rgb
        case .sixteen: return xterm16[swatch.sixteen]
        case .indexed:
            let index = swatch.indexed
            guard index >= 16 else { return xterm16[index] }
            guard index < 232 else { return (8 + 10 * (index - 232)) * 0x01_0101 }
            let levels = [0, 95, 135, 175, 215, 255]
            let cube = index - 16
            return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
        }
    }

    /// Returns red, green and blue as linear values, 0 to 1.
    static func linear(_ rgb: Int) -> [Double] {
        [rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255].map { part in
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
    }

    /// Returns the contrast of two colors, 1 to 21, according to WCAG 2.
    static func contrast(_ a: Int, _ b: Int) -> Double {
        func luminance(_ rgb: Int) -> Double {
            zip([0.2126, 0.7152, 0.0722], linear(rgb)).reduce(0) { $0 + $1.0 * $1.1 }
        }
        let (high, low) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
        return (high + 0.05) / (low + 0.05)
    }

    /// The default palette of xterm.
    static let xterm16 = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
}
