package import Failures
import HTTPTransport

extension RecordedProblem {
    /// Converts a failure of a transport.
    package convenience init(_ error: Failure) {
        self.init(error.code.name, reason: error.reason, number: error.number("limit"))
    }

    /// The failure of a transport; an unknown code is another error with this reason.
    package var transportError: Failure {
        guard let code = FailureCode(rawValue: "transport.\(code)") else { return .other(reason: reason ?? code) }
        switch code {
        case .tooLarge: return .tooLarge(limit: number ?? 0)
        case .tls, .wrongPort, .unusableProxy, .proxyFailed, .malformed, .other:
            return Failure(code, ["reason": .text(reason ?? "")])
        default: return Failure(code)
        }
    }
}
