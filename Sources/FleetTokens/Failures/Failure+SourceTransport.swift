package import Failures
import FleetWire
import Transport

extension Failure {
    /// Creates the failure of a source from that of its transport.
    package init(ofSource error: Failure, at url: String) {
        let origin = URLOrigin(url)
        let host = origin?.host ?? "?"
        let reason = error.reason ?? ""
        self =
            switch error.code {
            case .invalidURL: .sourceInvalidURL
            case .refused: .sourceUnreachable(reason: "connection refused by \(Self.place(origin))")
            case .unknownHost: .sourceUnreachable(.sourceUnknownHost, reason: "unknown host \(host)")
            case .tls: .sourceUnreachable(.sourceTLS, reason: "TLS: \(reason)")
            case .wrongPort: .sourceUnreachable(.sourceWrongPort, reason: reason)
            case .unusableProxy: .sourceUnusableProxy(reason: reason)
            case .proxyFailed: .sourceUnreachable(.sourceProxy, reason: reason)
            case .timedOut: .sourceTimedOut
            case .connectionLost: .sourceUnreachable(.sourceInterrupted, reason: "connection lost")
            case .cutOff: .sourceUnreachable(.sourceBroken, reason: "it ended before it was complete")
            case .tooLarge: .sourceTooLarge(limit: error.number("limit") ?? 0)
            case .malformed where error.exchange?.answer != nil: .sourceUnreachable(.sourceBroken, reason: reason)
            case .malformed: .sourceUnreachable(reason: "not HTTP: \(reason)")
            case .cancelled: .sourceCancelled
            default: .sourceUnreachable(.sourceNoRoute, reason: reason)
            }
    }

    /// Returns the host and the port of a URL.
    private static func place(_ origin: URLOrigin?) -> String {
        let host = origin?.host ?? "?"
        let port = origin.map { $0.port ?? ($0.isSecure ? 443 : 80) } ?? 0
        return "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
