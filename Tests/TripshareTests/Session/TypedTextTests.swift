import Runtime
import Testing
import TripScreen
import TripTestSupport

@testable import tripshare

@Suite("Typed text in recordings", .ends(within: .longTest))
struct TypedTextTests {
    /// Returns the characters that are recorded when a text is typed.
    private func recorded(_ text: String, _ secrets: KnownSecrets = KnownSecrets()) -> String {
        var typed = TypedText(secrets: secrets)
        return String(
            text.map { character in
                guard case .character(let recorded) = typed.recorded(.character(character)) else { return " " }
                return recorded
            }
        )
    }

    @Test func `a note is recorded as it was typed`() {
        let note = "the driver turned around at 14:05, see trip-1; waited 3 min"
        #expect(recorded(note) == note)
    }

    @Test func `no part of 16 characters of a known token is recorded, and the words around it are`() {
        let secrets = KnownSecrets()
        let token = "k7Jq-2mWx_9LpZrT4vBn8sYd1GhU6cEaF3oKi5"
        secrets.add(token: token)
        let text = recorded("token \(token) refused", secrets)
        #expect(text.hasPrefix("token k7Jq") && text.hasSuffix(" refused") && text.contains("•"))
        for start in 0...(token.count - 16) {
            #expect(!text.contains(token.dropFirst(start).prefix(16)))
        }
    }

    @Test func `a JWT of another session is not recorded`() {
        let token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJlLXdpdGgtbWFueS1sZXR0ZXJz"
        #expect(!recorded("Bearer \(token)").contains("eyJpc3M"))
    }

    @Test func `a corrected word is judged without the removed characters`() {
        var typed = TypedText(secrets: KnownSecrets())
        for character in "eyJhbGciOiJSUzI1NiJ9" { _ = typed.recorded(.character(character)) }
        for _ in 0..<20 { #expect(typed.recorded(.backspace) == .backspace) }
        #expect(typed.recorded(.character("x")) == .character("x"))
        #expect(typed.recorded(.enter) == .enter)
    }
}
