/// What a text contains that redaction may have to change, found in one pass over its bytes.
///
/// Most texts contain no sign, so that they remain unchanged. A sign says only that the text has to be examined: a text
/// without the sign of a rule is not changed by the rule.
struct SecretSigns: OptionSet {
    let rawValue: UInt8

    /// Control characters, or characters that are not ASCII; line feeds do not count.
    static let controls = SecretSigns(rawValue: 1)
    /// Colons and equals signs, which are between a name and its value.
    static let values = SecretSigns(rawValue: 2)
    /// The shape of a token, or slashes and an `@` as in a URL with a login: the concern of `withoutTokens`.
    static let tokens = SecretSigns(rawValue: 4)
    /// What may be a secret: the concern of `withoutPossibleSecrets`.
    static let possibleSecrets = SecretSigns(rawValue: 8)
}

extension SecretSigns {
    /// Finds the signs in a text.
    init(_ bytes: [UInt8]) {
        var signs: SecretSigns = []
        var part = TokenPart()
        // The bytes since the last one that occurs in no token.
        var wordLength = 0
        // The latest bytes in lower case, and the latest bytes of tokens, which other characters may separate.
        var (latest, joined): (UInt64, UInt64) = (0, 0)
        var (hasAt, hasSlashes) = (false, false)
        for byte in bytes {
            latest = latest << 8 | UInt64(byte | 0x20)
            wordLength += 1
            if part.append(byte) {
                joined = joined << 8 | UInt64(byte)
                switch byte {
                case UInt8(ascii: "J"):
                    if joined & 0xFF_FFFF == Self.jwt { signs.formUnion([.tokens, .possibleSecrets]) }
                case UInt8(ascii: "a"):
                    if joined & 0xFFFF_FFFF == Self.key { signs.insert(.possibleSecrets) }
                case UInt8(ascii: "r"), UInt8(ascii: "R"):
                    if latest & 0xFFFF_FFFF_FFFF == Self.bearer { signs.insert(.tokens) }
                case UInt8(ascii: "f"), UInt8(ascii: "F"):
                    if Self.slashes.contains(latest) { hasSlashes = true }
                case UInt8(ascii: "0"): if Self.ats.contains(latest) { hasAt = true }
                default: break
                }
                continue
            }
            signs.formUnion(part.signs)
            part = TokenPart()
            switch byte {
            case UInt8(ascii: "."):
                joined = joined << 8 | UInt64(byte)
                if joined & 0xFF_FFFF_FFFF == Self.accessToken { signs.insert(.possibleSecrets) }
            case UInt8(ascii: "~"), UInt8(ascii: "+"): break
            case UInt8(ascii: "/"):
                if latest & 0xFFFF == Self.twoSlashes || latest & 0xFFFF == Self.escapedSlash { hasSlashes = true }
            case UInt8(ascii: "="): signs.insert(.values)
            // An encoded word is decoded before it is judged.
            case UInt8(ascii: "%"): signs.insert(.possibleSecrets)
            default:
                if wordLength > SecretWords.longestWord { signs.insert(.tokens) }
                wordLength = 0
                switch byte {
                case UInt8(ascii: ":"): signs.insert(.values)
                case UInt8(ascii: "@"): hasAt = true
                // NUL is removed because it is between the letters of UTF-16.
                case 0: signs.formUnion([.possibleSecrets, .controls])
                case 0x0A, 0x20..<0x7F: break
                default: signs.insert(.controls)
                }
            }
        }
        signs.formUnion(part.signs)
        if wordLength >= SecretWords.longestWord || hasAt && hasSlashes { signs.insert(.tokens) }
        self = signs
    }

    private static let jwt = number("eyJ")
    private static let key = number("AIza")
    private static let accessToken = number("ya29.")
    private static let bearer = number("bearer")
    private static let twoSlashes = number("//")
    /// A backslash and a slash, as the latest bytes have them.
    private static let escapedSlash = number("|/")
    private static let slashes = EscapedByte("2f")
    private static let ats = EscapedByte("40")

    fileprivate static func number(_ text: String) -> UInt64 { text.utf8.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// A byte in hexadecimal digits as the latest bytes have it: percent-encoded, once or twice, or as an escape sequence of JSON.
private struct EscapedByte {
    private let (once, twice, unicode): (UInt64, UInt64, UInt64)

    /// Creates the forms of two digits in lower case.
    init(_ digits: String) {
        once = SecretSigns.number("%" + digits)
        twice = SecretSigns.number("%25" + digits)
        unicode = SecretSigns.number("u00" + digits)
    }

    func contains(_ latest: UInt64) -> Bool {
        latest & 0xFF_FFFF == once || latest & 0xFF_FFFF_FFFF == twice || latest & 0xFF_FFFF_FFFF == unicode
    }
}

/// A sequence of letters, digits, `-` and `_`: base64url, or a part of base64.
struct TokenPart {
    private var length = 0
    private var (hasDigit, hasLowercase, hasUppercase) = (false, false, false)

    /// Appends a byte; returns whether it belongs to such a part.
    mutating func append(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLowercase = true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasUppercase = true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): break
        default: return false
        }
        length += 1
        return true
    }

    /// Whether no signature is shorter.
    var isSignature: Bool { length >= SecretWords.signatureLength }

    /// Whether no word and no ID is as long, or has as many letters in both cases with digits.
    var isPossibleSecret: Bool { length >= 80 || length >= 40 && hasDigit && hasLowercase && hasUppercase }

    fileprivate var signs: SecretSigns {
        isSignature ? [.tokens, .possibleSecrets] : isPossibleSecret ? .possibleSecrets : []
    }
}
