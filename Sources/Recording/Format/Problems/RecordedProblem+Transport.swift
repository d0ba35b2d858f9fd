package import HTTPTransport

extension RecordedProblem {
    /// Converts an error of a connection.
    package convenience init(_ error: HTTPTransportError) {
        switch error {
        case .invalidURL: self.init("invalid_url")
        case .refused: self.init("refused")
        case .unknownHost: self.init("unknown_host")
        case .tls(let reason): self.init("tls", reason: reason)
        case .wrongPort(let reason): self.init("wrong_port", reason: reason)
        case .unusableProxy(let reason): self.init("unusable_proxy", reason: reason)
        case .proxyFailed(let reason): self.init("proxy_failed", reason: reason)
        case .timedOut: self.init("timed_out")
        case .connectionLost: self.init("connection_lost")
        case .cutOff: self.init("cut_off")
        case .tooLarge(let limit): self.init("too_large", number: limit)
        case .malformed(let reason): self.init("malformed", reason: reason)
        case .cancelled: self.init("cancelled")
        case .other(let reason): self.init("other", reason: reason)
        }
    }

    /// The error of a connection; an unknown code is another error with this reason.
    package var transportError: HTTPTransportError {
        switch code {
        case "invalid_url": .invalidURL
        case "refused": .refused
        case "unknown_host": .unknownHost
        case "tls": .tls(reason: reason ?? "")
        case "wrong_port": .wrongPort(reason: reason ?? "")
        case "unusable_proxy": .unusableProxy(reason: reason ?? "")
        case "proxy_failed": .proxyFailed(reason: reason ?? "")
        case "timed_out": .timedOut
        case "connection_lost": .connectionLost
        case "cut_off": .cutOff
        case "too_large": .tooLarge(limit: number ?? 0)
        case "malformed": .malformed(reason: reason ?? "")
        case "cancelled": .cancelled
        default: .other(reason: reason ?? code)
        }
    }
}
