/// How surely a proxy in between sent an answer, and not the host that was asked.
package enum ProxyAnswer: Sendable, Equatable {
    /// The answer itself says that a proxy made it.
    case marked
    /// A proxy handled the answer in clear, and nothing shows whether the proxy made it.
    case possible
}

extension Failure {
    /// What the answer shows about a proxy in between; `nil` if it must be the host's own or if the failure names the proxy itself.
    ///
    /// Otherwise a sentence about the failure must not claim that the host answered.
    package var proxyAnswer: ProxyAnswer? {
        guard injected == nil, isOfSource || root.row.stage == .service,
            ![.proxyFailed, .unusableProxy].contains(root.code)
        else { return nil }
        let observation = Observation(root.with(exchange), History())
        guard let status = observation.answer?.status, status >= 300 || observation.isPage, !observation.isFromHost
        else { return nil }
        if observation.isMarkedByProxy && !observation.isFromEndpoint { return .marked }
        guard observation.isReadByProxy, !observation.isForPrograms, observation.answer?.grpcStatus == nil else {
            return nil
        }
        return .possible
    }
}
