import Failures
import TransportLive
import TripTestSupport

/// Sends requests and returns their outcome as a value.
enum Asking {
    typealias Outcome = Result<HTTPTransportResponse, Failure>

    /// The outcome of one request.
    static func outcome(
        _ url: String,
        through transport: HTTPTransport,
        method: String = "GET",
        timeout: Duration = .testTimeout
    ) async -> Outcome {
        do throws(Failure) {
            let request = HTTPTransportRequest(
                method: method,
                url: url,
                timeout: timeout,
                maximumResponseBytes: 1 << 20
            )
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

extension Result<HTTPTransportResponse, Failure> {
    /// The error, if the request failed.
    var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }

    /// The status, if there is an answer.
    var status: Int? { try? get().status }
}
