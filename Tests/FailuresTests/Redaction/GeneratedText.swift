/// Makes texts that contain secrets, parts of them and what resembles them, always the same ones from the same seed.
///
/// Lengths are near the limits of the rules. No combining mark follows a letter of ASCII.
struct GeneratedText {
    private static let alphabets = [
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", "0123456789abcdef", "0123456789",
        "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "aB1.-~_",
    ].map(Array.init)
    private static let lengths = [
        1, 3, 7, 8, 9, 15, 16, 17, 20, 35, 39, 40, 41, 64, 79, 80, 81, 199, 200, 339, 340, 342,
    ]
    private static let names = [
        "access_token", "id_token", "token_type", "expires_in", "token_expiry", "jwt", "api_key", "x-api-key",
        "Authorization", "proxy-authorization", "set-cookie", "Cookie", "sig", "key", "private_key", "private_key_id",
        "password", "passwd", "client_secret", "X-Goog-Signature", "assertion", "credential_lifetime", "credentials",
        "monkey", "name", "code", "message", "error", "TOKEN", "Api-Key", "apikey", "signature_type", "secret",
    ]
    private static let signs = [":", "=", " : ", #"":""#, #"\":\""#, "='", "=\"", ": ", #"": "#, "= ", "=\\'", ":'"]
    private static let starts = [
        "eyJ", "eyJhbGciOiJSUzI1NiJ9.eyJ", "ya29.", "AIza", "Bearer ", "bearer\t", "BEARER  ", "bearer", "e yJ",
        "A Iza", "ya 29.", "Bearer: ", "ey\nJhbGciOi.eyJ", "eyJ.eyJ",
    ]
    private static let separators = [
        " ", " ", " ", "\n", "\r\n", "\t", ",", ", ", "\"", "'", "<", ">", "/", "?", "&", ";", ".", "~", "+", "=", "%",
        "-", "_", "\\", "|", "(", ")", "{", "}", "#", ":", "  ", "%25", "%2E", "\\n", "\\\"", "\u{B}", "://",
    ]
    private static let others = [
        "ü", "日本", "🚕", "👩‍👩‍👧", "Ж", "\u{202E}", "\u{200B}", "\u{9B}", "\u{2028}", "\u{FEFF}", "\u{AD}", "\u{85}",
        "\u{A0}", "\u{1B}[31m", "\u{7}", "\u{7F}", "Ж\u{301}", "\u{1F}", "\0", "ſ",
    ]
    private static let prose = [
        "The service is not available.", "<p>upstream</p>", "Log in & go", "invalid_token: the token has expired",
        #"{"error":{"code":403,"message":"It lacks a role.","status":"PERMISSION_DENIED"}}"#,
        "text/html; charset=utf-8", "<title>502 Bad Gateway</title>",
        #"{"error":"invalid_grant","error_description":"Bad JWT"}"#, "1.1 google", "",
        "Basic realm=\"a b\"", "2026-03-14T08:26:08.655Z", "0.35 ms", "123e4567-e89b-12d3-a456-426614174000",
    ]

    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    /// Returns a number below a bound.
    mutating func number(_ bound: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    private mutating func element(of list: [String]) -> String { list[number(list.count)] }

    /// Returns a word of one of the alphabets.
    mutating func word(in alphabets: Range<Int> = 0..<7) -> String {
        let letters = Self.alphabets[alphabets.lowerBound + number(alphabets.count)]
        let count = number(3) == 0 ? Self.lengths[number(Self.lengths.count)] : number(50)
        return String((0..<count).map { _ in letters[number(letters.count)] })
    }

    private mutating func fragment() -> String {
        switch number(12) {
        case 0, 1: return word()
        case 2, 3: return element(of: Self.names) + element(of: Self.signs) + word()
        case 4: return element(of: Self.starts) + word()
        case 5, 6: return element(of: Self.separators)
        case 7: return element(of: Self.others)
        case 8: return element(of: Self.prose)
        case 9: return word().utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        // A login is surrounded by spaces.
        case 10: return " https://user:\(word(in: 2..<6))@host.example/x?sig=\(word()) "
        default: return "https://host.example/v1/\(word())?\(element(of: Self.names))=\(word())&a=1#f"
        }
    }

    /// Returns the next text.
    mutating func text() -> String { (0...number(9)).map { _ in fragment() }.joined() }
}
