package import Failures
import Foundation
import Runtime

extension Failure {
    /// Creates the failure of a source, or of its transport, that throws errors of any type.
    ///
    /// Foundation's errors of a network are known by domain and number, so that they need no import of its network.
    package init(thrownBySource error: any Error, asked: Asked = .source) {
        if let failure = error as? Failure {
            self = failure
            return
        }
        let code: FailureCode
        if error is CancellationError {
            code = .cancelled
        } else if let coded = error as? any CustomNSError, type(of: coded).errorDomain == "NSURLErrorDomain" {
            code = Self.codes[coded.errorCode] ?? .other
        } else {
            code = .other
        }
        // The descriptions of Foundation's errors have the URL with its query.
        let isDescribed = error is any LocalizedError || error is any CustomNSError
        let text = isDescribed ? error.localizedDescription : "\(error)"
        let words = EvidenceText.line(text.withoutPossibleSecrets, limit: 200)
        self = Failure(code, asked: asked).with(.reason, words)
    }

    /// The errors of `URLSession` by their numbers; see `URLError.Code`.
    private static let codes: [Int: FailureCode] = [
        -999: .cancelled, -1001: .timedOut, -1003: .unknownHost, -1004: .refused, -1005: .connectionLost,
        -1006: .unknownHost, -1011: .malformed, -1200: .tls, -1201: .tls, -1202: .tls, -1203: .tls, -1204: .tls,
    ]
}
