package import Failures
import FleetWire
import Transport

extension Failure {
    /// Creates the failure of a source from that of its transport; `url` is what was asked, if it is known.
    package init(ofSource error: Failure, at url: String? = nil) {
        let origin = url.flatMap(URLOrigin.init)
        let host = origin.map { " \($0.host)" } ?? ""
        let reason = error.reason ?? ""
        self =
            switch error.code {
            case .invalidURL: .sourceInvalidURL
            case .refused: .sourceUnreachable(reason: "connection refused\(Self.place(origin))")
            case .unknownHost: .sourceUnreachable(.sourceUnknownHost, reason: "unknown host\(host)")
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

    /// Returns the host and the port of a URL after a preposition; nothing if they are unknown.
    private static func place(_ origin: URLOrigin?) -> String {
        guard let origin else { return "" }
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return " by \(host):\(origin.port ?? (origin.isSecure ? 443 : 80))"
    }
}
