package import Failures

extension Failure {
    /// Creates the failure of a source from the failure of its transport; `url` is what was asked, if it is known.
    package init(ofSource error: Failure, at url: String? = nil) {
        let origin = url.flatMap(URLOrigin.init)
        // What began as an answer is a broken one.
        let code = error.code == .malformed && error.exchange?.answer != nil ? .cutOff : error.code
        let reason = error.reason ?? ""
        let words: String? =
            switch error.code {
            case .refused: "connection refused\(Self.place(origin))"
            case .unknownHost: "unknown host\(origin.map { " \($0.host)" } ?? "")"
            case .tls: "TLS: \(reason)"
            case .connectionLost: "connection lost"
            case .cutOff: "it ended before it was complete"
            case .malformed where code == .malformed: "not HTTP: \(reason)"
            default: error.reason
            }
        self = Failure(code, asked: .source).with(.reason, words).with(.sizeLimit, error[.sizeLimit])
    }

    /// Returns the host and the port of a URL after a preposition; nothing if they are unknown.
    private static func place(_ origin: URLOrigin?) -> String {
        guard let origin else { return "" }
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        return " by \(host):\(origin.port ?? (origin.isSecure ? 443 : 80))"
    }
}
