import Failures
import FleetTokens
import Synchronization
import TripFeed

/// Names the faults of an emulator in what comes from it.
///
/// An answer has a header about them. A connection that a fault has closed has no header. For such a connection, the
/// emulator in this process is asked, or the menu that controls the faults of another emulator.
final class FaultMarks: Sendable {
    /// Returns the fault that has closed the connection of a request such as `GET /v1/providers/…`; `nil` if none has.
    typealias Closing = @Sendable (_ request: String) -> InjectedFault?

    private let origins: [URLOrigin]
    private let closing = Mutex<Closing?>(nil)

    /// Creates an object for the URLs of an emulator; the answers of other servers are not read.
    init(urls: [String]) {
        origins = urls.compactMap { URLOrigin($0.replacing("{", with: "").replacing("}", with: "")) }
    }

    /// Sets how closed connections are explained.
    func explainClosing(_ closing: @escaping Closing) { self.closing.withLock { $0 = closing } }

    /// Returns a transport that names the faults.
    func transport(_ base: HTTPTransport) -> HTTPTransport {
        HTTPTransport { [self] request throws(Failure) in
            guard let origin = URLOrigin(request.url), origins.contains(where: { $0.isSame(as: origin) }) else {
                return try await base.send(request)
            }
            do throws(Failure) {
                var response = try await base.send(request)
                if let fault = Self.fault(in: response.header(InjectedFault.header)) {
                    response.exchange = (response.exchange ?? Exchange(request, response)).with(fault)
                }
                return response
            } catch {
                let path = origin.path.prefix { $0 != "?" }
                throw marked(error, "\(request.method) \(path)") { Exchange(request) }
            }
        }
    }

    /// Returns a transport for calls over gRPC that names the faults.
    func transport(_ base: FleetTransport) -> FleetTransport {
        FleetTransport { [self] call, authorization throws(Failure) in
            do throws(Failure) {
                var answer = try await base.send(call, authorization)
                if let fault = Self.fault(in: answer.response.header(InjectedFault.header)) {
                    answer.response.exchange = (answer.response.exchange ?? Exchange(call)).with(fault)
                }
                return answer
            } catch {
                throw marked(error, String(call.request.prefix { $0 != "?" })) { Exchange(call) }
            }
        }
    }

    private func marked(_ failure: Failure, _ request: String, _ exchange: () -> Exchange) -> Failure {
        let known = failure.exchange ?? exchange()
        let closed: InjectedFault? =
            switch failure.code {
            case .connectionLost, .cutOff: closing.withLock(\.self)?(request)
            default: nil
            }
        guard let fault = Self.fault(in: known.answer?.header(InjectedFault.header)) ?? closed else { return failure }
        var marked = failure
        marked.exchange = known.with(fault)
        return marked
    }

    private static func fault(in header: String?) -> InjectedFault? { header.flatMap(InjectedFault.init) }
}

extension FaultMarks {
    /// Creates an object for the emulator with a ready file; `nil` without one.
    convenience init?(_ ready: ReadyFile?) {
        guard let ready else { return nil }
        self.init(
            urls: [
                ready.fleetEngineURL, ready.tokenURL, ready.vehicleTokenURL, ready.serverTokenURL,
                ready.trackingTokenURL, ready.iamURL, ready.oauthTokenURL, ready.stsURL,
            ].compactMap(\.self)
        )
    }
}

extension HTTPTransport {
    /// Returns the transport, which names the faults of an emulator if there is one.
    func naming(faultsOf marks: FaultMarks?) -> HTTPTransport { marks?.transport(self) ?? self }
}

extension FleetTransport {
    /// Returns the transport, which names the faults of an emulator if there is one.
    func naming(faultsOf marks: FaultMarks?) -> FleetTransport { marks?.transport(self) ?? self }
}

extension URLOrigin {
    fileprivate func isSame(as other: URLOrigin) -> Bool {
        isSecure == other.isSecure && host == other.host && port == other.port
    }
}

/// Exchanges that the transport does not describe, and exchanges of requests that were not sent.
extension Exchange {
    /// Describes a request, and its answer if there is one.
    init(_ request: HTTPTransportRequest, _ response: HTTPTransportResponse? = nil, ending: Ending = .complete) {
        self.init(
            .http,
            Request(
                method: request.method,
                url: request.url,
                headerNames: request.headers.map(\.name),
                bytes: request.body.count
            ),
            answer: response.map { Answer(status: $0.status, headers: $0.headers, body: $0.body) },
            duration: .zero,
            ending: ending
        )
    }

    /// Describes a call over gRPC, and its answer if there is one.
    init(_ call: FleetCall, _ response: HTTPTransportResponse? = nil, ending: Ending = .complete) {
        self.init(
            .grpc,
            Request(method: "POST", url: call.method, headerNames: [], bytes: 0),
            answer: response.map {
                Answer(
                    status: $0.status,
                    grpcStatus: StatusCode(httpStatus: $0.status).rawValue,
                    headers: $0.headers,
                    body: $0.body
                )
            },
            duration: .zero,
            ending: ending
        )
    }
}
