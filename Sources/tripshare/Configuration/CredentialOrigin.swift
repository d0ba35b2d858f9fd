import Credentials
import Failures
import FleetTokens
import Foundation
import Runtime
import TripModel
import TripText

/// The credentials of a backend, found in variables and files when the flags are read.
///
/// Only a metadata server is searched later, when the first token is needed.
struct CredentialOrigin: Sendable {
    /// The value of `--credentials` for Application Default Credentials.
    static let standard = "adc"

    private let local: CredentialSearch.Local
    private let files: CredentialFiles
    private let choice: TokenSigner.Choice
    private let quotaProject: String?
    private let iamURL: String?

    /// Finds the credentials; throws a ``CommandFailure`` for a place that is set and not usable.
    init(
        _ name: String,
        _ options: TokenSourceOptions,
        iamURL: String?,
        allowPlainHTTP: Bool
    ) async throws {
        try await self.init(
            name,
            TokenSigner.Choice(account: options.account, delegates: options.delegate),
            quotaProject: options.quotaProject,
            iamURL: iamURL,
            allowPlainHTTP: allowPlainHTTP
        )
    }

    /// Finds the credentials for a signer.
    init(
        _ name: String,
        _ choice: TokenSigner.Choice,
        quotaProject: String? = nil,
        iamURL: String?,
        allowPlainHTTP: Bool
    ) async throws {
        if let iamURL {
            guard let origin = URLOrigin(iamURL), origin.isSecure || origin.isLoopback || allowPlainHTTP else {
                throw CommandFailure(.badConfiguration, .failureIAMURL(url: excerpt(iamURL.asShownURL)))
            }
        }
        files = CredentialFiles.ofProcess(allowPlainHTTP: allowPlainHTTP)
        (self.choice, self.quotaProject) = (choice, quotaProject)
        self.iamURL = iamURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        let search = CredentialSearch(files)
        do throws(Failure) {
            local = name == Self.standard ? try await search.findLocally() : .found(try await search.file(name))
        } catch {
            throw CommandFailure(source: error)
        }
        if let path = local.found?.path {
            InputFile.warnIfOpen(path) { .warningKeyFileOpen(file: $0, path: $1) }
        }
    }

    /// The project that is charged for calls with an access token; `nil` for the credential's project.
    var chargedProject: String? { quotaProject ?? local.found?.quotaProject }

    /// Creates the token source.
    func source(transport: HTTPTransport, clock: any TripClock) -> CredentialTokenSource {
        let world = CredentialWorld(
            files: files,
            run: { command, environment, timeout in
                do throws(ArgumentVector.Problem) {
                    let words = try ArgumentVector(parsing: command).words
                    return await CommandOutput.result(of: words, environment: environment, timeout: timeout)
                } catch {
                    return .failure(.commandNotStarted(reason: "its quotation marks are not closed"))
                }
            },
            transport: transport,
            clock: clock,
            iamURL: iamURL,
            wait: { try await Task.sleep(for: $0, clock: .continuous) }
        )
        return CredentialTokenSource(local, signing: choice, quotaProject: quotaProject, in: world)
    }
}

extension CredentialSearch.Local {
    /// The credential that a file has.
    fileprivate var found: FoundCredential? { if case .found(let found) = self { found } else { nil } }
}

extension FoundCredential {
    /// The path of the file; `nil` for a metadata server.
    fileprivate var path: String? {
        switch place {
        case .flag(let path), .variable(let path), .gcloud(let path): path
        case .metadata: nil
        }
    }
}
