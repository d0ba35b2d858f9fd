import HTTPTransport
import HTTPTransportLive
import TripTestSupport

/// Requests of tests whose outcome is looked at, whatever it is.
enum Asking {
    typealias Outcome = Result<HTTPTransportResponse, HTTPTransportError>

    /// What comes of one request.
    static func outcome(
        _ url: String,
        through transport: HTTPTransport,
        timeout: Duration = .patience
    ) async -> Outcome {
        do throws(HTTPTransportError) {
            let request = HTTPTransportRequest(url: url, timeout: timeout, maximumResponseBytes: 1 << 20)
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<HTTPTransportResponse, HTTPTransportError> {
    /// The error, where there is one.
    var failure: HTTPTransportError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// The status, where there is an answer.
    var status: Int? { try? get().status }
}
