import Failures
import Foundation

/// The endpoints of Google's other hosts, and of the sources of subject tokens, on one port.
///
/// They have Google's own paths, so that a client needs another base URL and nothing else.
struct GoogleRoutes: Sendable {
    private let certificates: CertificateEndpoint
    private let oauth: OAuthEndpoint
    private let exchange: TokenExchange
    private let iam: IAMCredentials
    private let metadata: MetadataServer
    private let sources: SubjectSources

    init(_ project: CredentialProject) {
        certificates = CertificateEndpoint(accounts: project.accounts)
        oauth = OAuthEndpoint(project: project)
        exchange = TokenExchange(project: project)
        iam = IAMCredentials(project: project)
        metadata = MetadataServer(project: project)
        sources = SubjectSources(project: project)
    }

    /// Returns what a request asks for; a method of IAM has its own name.
    static func operation(of request: PlainRequest) -> Call.Operation {
        let path = "/" + request.segments.joined(separator: "/")
        guard path != OAuthEndpoint.path, path != OAuthEndpoint.workforcePath, path != TokenExchange.path else {
            return .grantCredentials
        }
        switch request.segments.first {
        case "v1":
            let method = path.split(separator: ":").last.flatMap { IAMMethod(rawValue: String($0)) }
            return method.map { Call.Operation(rawValue: $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst()) }
                ?? .unknown
        case "", "computeMetadata": return path.hasSuffix("/token") ? .grantCredentials : .unknown
        case "subject-token": return .grantCredentials
        default: return .unknown
        }
    }

    /// Answers a request.
    func answer(_ request: PlainRequest, at now: Date, _ effects: FaultEffects) async -> PlainResponse {
        switch "/" + request.segments.joined(separator: "/") {
        case OAuthEndpoint.path, OAuthEndpoint.workforcePath: return await oauth.answer(request, at: now, effects)
        case TokenExchange.path: return await exchange.answer(request, at: now, effects)
        default: break
        }
        switch request.segments.first {
        case "v1": return await iam.answer(request, at: now, effects)
        case "", "computeMetadata": return metadata.answer(request, at: now, effects)
        case "latest", "subject-token": return await sources.answer(request, at: now, effects)
        default: return await certificates.answer(request, effects)
        }
    }
}
