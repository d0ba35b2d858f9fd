import Credentials
import Failures
import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport
import TripText

/// The mistakes that people report about Google's libraries, with the code that names each.
@Suite("Misconfigured credentials", .ends(within: .minutes(5)))
struct MisconfigurationTests {
    /// A mistake and what must be said about it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var name: String
        var code: FailureCode
        var party: Party
        /// Words that the message must contain.
        var words: [String] = []
        var context: Context = .server
        var scene: CredentialScene

        enum Context { case server, trip }

        var testDescription: String { name }
    }

    @Test(arguments: Self.mistakes) func `names the cause`(mistake: Mistake) async throws {
        let context: AuthorizationContext = mistake.context == .server ? .server : .trip(try TripID("trip-1"))
        let choice = TokenSigner.Choice(account: mistake.context == .trip ? CredentialScene.signer : nil)
        let result = await mistake.scene.token(context, signing: choice)
        guard case .failure(let error) = result else {
            Issue.record("there is a token")
            return
        }
        #expect(error.failure.code == mistake.code)
        #expect(error.party == mistake.party)
        let message = UserMessage(error)
        let text = "\(message.what)\n\(message.advice ?? "")"
        for word in mistake.words { #expect(text.contains(word), "\(text)") }
        #expect(!text.contains("{{"), "\(text)")
        for secret in ["client-secret", "refresh-token", "BEGIN", "ya29"] { #expect(!text.contains(secret)) }
    }
}
