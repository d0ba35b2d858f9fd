import FleetWire

/// The endpoint of the control API that a presenter's console calls in another process.
///
/// The program that runs the emulator defines the content of requests and answers. Callers need its secret in the header
/// ``EndpointSecret/header``, because the control API accepts every process of the machine.
package struct PresenterEndpoint: Sendable {
    /// The secret that callers send.
    package let secret: EndpointSecret
    /// Returns the report about the session as JSON; `nil` before there is one.
    let report: @Sendable () -> [UInt8]?
    /// Accepts a request; returns `false` if it is invalid.
    let accept: @Sendable ([UInt8]) -> Bool

    /// Creates an endpoint with a new secret from closures.
    package init(
        report: @escaping @Sendable () -> [UInt8]?,
        accept: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        (secret, self.report, self.accept) = (EndpointSecret(), report, accept)
    }
}

extension ControlRoutes {
    /// Returns the report, or accepts a request; without an endpoint the method does not exist.
    func present(_ request: PlainRequest) throws(ServiceError) -> PlainResponse {
        guard let endpoint = control.presenter else { throw .noSuchMethod }
        guard endpoint.secret.isMet(by: request.secret) else {
            throw .permissionDenied(
                "The header \(EndpointSecret.header) with the secret of the demo's file is required."
            )
        }
        switch request.method {
        case "GET":
            guard let report = endpoint.report() else { throw .unavailable }
            return PlainResponse(status: 200, body: report)
        case "POST":
            guard endpoint.accept(request.body) else { throw .invalidArgument("The request is unknown.") }
            return PlainResponse(status: 200, body: CollectionCoding.empty)
        default: throw .methodNotAllowed
        }
    }
}
