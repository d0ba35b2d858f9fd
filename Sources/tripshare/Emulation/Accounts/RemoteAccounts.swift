import Credentials
import Failures
import FleetEmulator
import FleetTokens
import TokenSigning
import TripText

/// The service accounts of an emulator for which IAM signs.
struct RemoteAccounts: Sendable {
    private let accounts: [(role: Caller.Role, email: String, origin: CredentialOrigin)]
    private let certificatesURL: String

    /// Finds the credentials; throws a ``CommandFailure`` if they are not usable.
    init(
        _ named: [(role: Caller.Role, email: String)],
        _ credentials: String,
        delegates: [String],
        _ settings: Settings
    ) async throws {
        var accounts: [(Caller.Role, String, CredentialOrigin)] = []
        for (role, email) in named {
            let origin = try await CredentialOrigin(
                credentials,
                TokenSigner.Choice(account: email, delegates: delegates),
                iamURL: settings.iamURL,
                allowPlainHTTP: false
            )
            accounts.append((role, email, origin))
        }
        self.accounts = accounts
        certificatesURL = settings.resolve(\.certificatesURL)
    }

    /// Returns what signs for each account; throws a ``CommandFailure`` for an invalid URL of certificates.
    func signers(over transport: HTTPTransport) throws(CommandFailure) -> [RemoteSigner] {
        let certificates = try CertificateOptions.certificates(at: certificatesURL, over: transport)
        return accounts.map { role, email, origin in
            // Access tokens expire by the real time, whatever the time of the ride.
            let source = origin.source(transport: transport, clock: ScaledClock(speed: 1))
            return RemoteSigner(role: role, email: email, certificates: certificates) {
                claims throws(TokenService.Refusal) in
                let recorder = TokenAnswerRecorder()
                do throws(Failure) {
                    return try await source.resolved().signer.sign(claims, as: email, recording: recorder).revealed
                } catch {
                    throw TokenService.Refusal(reporting: error.with(recorder.exchange))
                }
            }
        }
    }
}

extension TokenService.Refusal {
    /// Creates the answer to a client whose token can't be signed, and prints the reason.
    init(reporting failure: Failure) {
        Printing.error(UserMessage(source: failure, localizer: .ofProcess).last.text(.ofProcess))
        let isOutage = failure.retry == .withSource
        self.init(status: isOutage ? 503 : 502, message: UserMessage(source: failure).what)
    }
}
