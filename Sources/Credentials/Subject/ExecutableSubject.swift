import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel

/// A command that prints a subject token in Google's form for executables.
struct ExecutableSubject: Sendable {
    private static let permission = "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"

    let command: String
    let timeout: Duration
    let outputFile: String?

    /// Runs the command, or reads its output file if that is still valid.
    ///
    /// The command runs without a shell and without a terminal, and only if the environment allows it.
    func token(
        for credential: ExternalCredential,
        _ world: CredentialWorld
    ) async throws(Failure) -> SubjectToken {
        guard world.files.environment[Self.permission] == "1" else {
            throw Failure(.executableForbidden)
        }
        // A missing or old file, and one with a failure, is not an error: the command writes a new one, as with google-auth.
        if let outputFile, let bytes = try? world.files.read(outputFile),
            let output = try? Output(bytes), let end = output.expiresAt, end > world.clock.now().wall,
            let token = try? output.token(from: outputFile)
        {
            return token
        }
        let name = String(command.prefix { !$0.isWhitespace })
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try await world.run(command, environment(for: credential, world), timeout).get()
        } catch {
            switch error.code {
            case .commandFailed: throw failed("exit status \(error[.status] ?? 0)", because: error)
            case .commandKilled: throw failed("signal \(error[.signal] ?? 0)", because: error)
            case .commandNotStarted: throw failed(error.reason ?? "", because: error)
            default: throw error
            }
        }
        let output = try Output(bytes)
        if let end = output.expiresAt, end <= world.clock.now().wall {
            throw Failure(.subjectStale).with(.origin, name)
        }
        return try output.token(from: name)
    }

    private func environment(for credential: ExternalCredential, _ world: CredentialWorld) -> [String: String] {
        var environment = world.files.environment
        let prefix = "GOOGLE_EXTERNAL_ACCOUNT_"
        environment[prefix + "AUDIENCE"] = credential.audience
        environment[prefix + "TOKEN_TYPE"] = credential.subjectType
        environment[prefix + "INTERACTIVE"] = "0"
        environment[prefix + "REVOKE"] = "0"
        environment[prefix + "IMPERSONATED_EMAIL"] = credential.impersonation?.target
        environment[prefix + "OUTPUT_FILE"] = outputFile
        return environment
    }

    /// The answer of a command.
    private struct Output {
        let value: JSONValue
        let expiresAt: Date?

        init(_ bytes: [UInt8]) throws(Failure) {
            guard let value = JSONValue(bytes), case .object = value else { throw failed("its output is not JSON") }
            guard value["version"]?.number == 1 else { throw failed("its output has another version than 1") }
            self.value = value
            expiresAt = value["expiration_time"]?.number.map { Date(timeIntervalSince1970: $0) }
        }

        func token(from origin: String) throws(Failure) -> SubjectToken {
            guard value["success"] == .bool(true) else {
                let code = value["code"]?.string ?? "?"
                throw failed("\(code): \(value["message"]?.string ?? "")")
            }
            let isSAML = value["token_type"]?.string == "urn:ietf:params:oauth:token-type:saml2"
            let key = isSAML ? "saml_response" : "id_token"
            guard let text = value[key]?.string, !text.isEmpty else { throw failed("its output has no \(key)") }
            return SubjectToken(text, from: origin)
        }
    }
}

private func failed(_ reason: String, because failure: Failure? = nil) -> Failure {
    Failure(.executableFailed).with(.reason, reason).saying(failure?.errors)
}
