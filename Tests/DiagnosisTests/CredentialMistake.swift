import Credentials
import Failures
import FleetTokens
import Testing
import TripModel
import TripTestSupport
import TripText

/// A mistake in the set-up of a backend's credentials, and what must be said about it.
struct CredentialMistake: Sendable, CustomTestStringConvertible {
    /// Whose token is fetched.
    enum Context: Sendable { case server, trip }

    var name: String
    var code: FailureCode
    var party: Party
    /// Words that the message must contain.
    var words: [String] = []
    var context: Context = .server
    var scene: CredentialScene

    var testDescription: String { name }

    /// Returns why there is no token, with the message about it; `nil` if there is one.
    func outcome() async throws -> (error: Failure, message: UserMessage)? {
        let context: AuthorizationContext = context == .server ? .server : .trip(try TripID("trip-1"))
        let choice = TokenSigner.Choice(account: context == .server ? nil : CredentialScene.signer)
        guard case .failure(let error) = await scene.token(context, signing: choice) else { return nil }
        return (error, UserMessage(error))
    }
}

/// The mistakes that people report about Google's libraries.
@Suite("Misconfigured credentials", .ends(within: .quickTest))
struct CredentialMistakeTests {
    private static let secrets = ["client-secret", "refresh-token", "BEGIN", "ya29"]

    @Test(arguments: CredentialMistake.all) func `names the cause`(mistake: CredentialMistake) async throws {
        let (error, message) = try #require(try await mistake.outcome(), "there is a token")
        #expect(error.code == mistake.code)
        #expect(error.party == mistake.party)
        let text = "\(message.what)\n\(message.advice ?? "")"
        for word in mistake.words { #expect(text.contains(word), "\(text)") }
        #expect(!text.contains("{{"), "\(text)")
        for secret in Self.secrets { #expect(!text.contains(secret)) }
    }

    @Test func `generated set-ups with these mistakes are blamed on the party that must act`() async throws {
        var matrix = ConfusionMatrix()
        for seed in 0..<600 {
            let (mistake, message) = try await CredentialCase(seed: UInt64(seed) &* 0x9E37_79B9 &+ 11).result()
            matrix.add(mistake.name, mistake.party, message, evidence: "")
            let text = message.lines().joined(separator: " ")
            for secret in Self.secrets { #expect(!text.contains(secret), "\(seed): \(text)") }
        }
        #expect(matrix.wrongProofs.isEmpty, "\(matrix.wrongProofs.prefix(10))")
        #expect(Double(matrix.first) >= 0.88 * Double(matrix.cases))
        try matrix.expect(recordedAs: "credentials")
    }
}
