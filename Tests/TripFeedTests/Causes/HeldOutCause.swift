import Failures
import Foundation

/// A case of a ``HeldOutSet``, as it is written in the file.
///
/// The cases are answers of real software. Who wrote them had not read the rules of the diagnosis.
/// The `source` names the software for readers of the file; no test reads it.
struct HeldOutCause: Decodable {
    /// A value in the file that has no meaning.
    struct Unknown: Error {
        let name: String
        let value: String
    }

    /// Why no complete answer was received.
    enum Ending: String, Decodable {
        case unknownHost, refused, timedOut, connectionLost, cutOff
        case untrustedCertificate, certificateOfAnotherHost, oldTLS, noTLS

        /// The failure of the transport.
        var failure: Failure {
            switch self {
            case .unknownHost: .unknownHost
            case .refused: .refused
            case .timedOut: .timedOut
            case .connectionLost: .connectionLost
            case .cutOff: .cutOff
            case .untrustedCertificate: .tls(reason: "the certificate is not trusted")
            case .certificateOfAnotherHost: .tls(reason: "the certificate is for another host")
            case .oldTLS: .tls(reason: "the server has no TLS 1.2 or later")
            case .noTLS: .wrongPort(reason: "the server does not use TLS on this port")
            }
        }
    }

    let name: String
    let place: String
    let parties: [String]
    let hasEvidence: Bool?
    let asked: String
    let status: Int?
    /// The headers as they are sent: the name, a colon, the value.
    let headers: [String]?
    let body: String?
    let isEncrypted: Bool?
    let proxy: String?
    let issuer: String?
    let hasWorked: Bool?
    let ending: Ending?

    /// The case as a value to diagnose.
    func injected() throws -> InjectedCause {
        guard let place = Place(rawValue: place) else { throw Unknown(name: name, value: place) }
        guard let asked = Failure.Asked(rawValue: asked) else { throw Unknown(name: name, value: asked) }
        let parties = try parties.map { party in
            guard let known = Party(rawValue: party) else { throw Unknown(name: name, value: party) }
            return known
        }
        var cause = InjectedCause(name, place, Set(parties))
        cause.asked = asked
        cause.hasEvidence = hasEvidence ?? true
        cause.status = status ?? 200
        cause.headers = try (headers ?? []).map { line in
            guard let colon = line.firstIndex(of: ":") else { throw Unknown(name: name, value: line) }
            return (String(line[..<colon]), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        cause.body = body ?? ""
        cause.isEncrypted = isEncrypted ?? true
        (cause.proxy, cause.issuer) = (proxy, issuer)
        cause.hasWorked = hasWorked ?? false
        cause.ending = ending?.failure
        return cause
    }
}
