// Conversions of numbers from outside: answers, files, flags. A conversion of the standard library traps for a number that is
// not finite or too large. Durations have `Duration(clampedSeconds:)`.

extension Double {
    /// Reads a decimal number with an optional sign, fraction and exponent; `nil` for other texts.
    ///
    /// `Double(_:)` accepts `nan`, `infinity` and hexadecimal numbers, too, and reads `1e999` as infinity.
    package init?(decimal text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        self = number
    }

    /// The number within a range; the lower bound if it is not a number.
    package func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}

extension FixedWidthInteger {
    /// Creates the integer next to a number towards zero, clamped to the range of the type; 0 if it is not a number.
    package init(clamped number: Double) {
        if let exact = Self(exactly: number.rounded(.towardZero)) {
            self = exact
        } else {
            self = number.isNaN ? 0 : number < 0 ? .min : .max
        }
    }
}
