/// A reason to suspect a party; its texts are ``reason`` and ``fix``, its effects are in ``table``.
package enum Clue: String, Sendable, Hashable, CaseIterable {
    // MARK: Who answered
    /// A firewall or a check for bots answered.
    case challenge
    /// A page or a redirect for signing in came.
    case signIn
    /// The proxy that the connection goes through answered.
    case proxyAnswered
    /// The proxy that the connection goes through could have answered.
    case proxyBetween
    /// Something on the way answered a request that is not encrypted.
    case captivePortal
    /// A filter for web traffic answered.
    case filtered
    /// A gateway got no answer from the server behind it.
    case deadUpstream
    /// A gateway refused or changed the answer with words of its own.
    case gatewayAnswered
    /// A cache answered in place of the server.
    case cached
    /// A device or a program on the way reads encrypted connections.
    case inspected
    /// A page for people came.
    case webPage
    /// Another address was named.
    case otherAddress

    // MARK: What the answer says
    /// The endpoint failed.
    case endpointFailed
    /// The endpoint wants a login.
    case loginWanted
    /// The login in the request is no longer valid.
    case loginRefused
    /// The port is for encrypted connections.
    case tlsExpected
    /// Google refused the account that signs the tokens.
    case signingRefused
    /// The endpoint denies the trip to this login.
    case denied
    /// The endpoint expects a browser's session.
    case sessionExpected
    /// The endpoint does not accept the form of the request.
    case requestRefused
    /// The endpoint does not know the address.
    case addressUnknown
    /// The answer reports an error.
    case errorInAnswer
    /// The endpoint limits the requests.
    case limited
    /// The answer has a token, but under another key.
    case tokenElsewhere

    // MARK: How it ended
    /// The answer began and was not usable.
    case brokenAnswer
    /// Nothing listens at the port.
    case nothingListens
    /// No answer came in time.
    case noAnswerInTime
    /// The name of the host is not known.
    case nameUnknown
    /// The certificate does not fit.
    case certificate
    /// The server made its certificate itself, or has one for development or tests.
    case provisionalCertificate
    /// The connection ended early.
    case connectionEnded

    // MARK: What happened before
    /// The same settings worked before.
    case workedBefore
    /// The source gave tokens before and can't be reached any more.
    case stopped
    /// The service answered before and can't be reached any more.
    case serviceStopped
    /// The service accepted tokens of the same source before.
    case acceptedBefore
    /// Every second answer fails in the same way, and those between are good.
    case alternates

    // MARK: What the service says
    /// The service itself reports an outage.
    case serviceFailed
    /// The resource that was asked for may not exist yet, or under another name.
    case mayNotExist
    /// The account that signs the tokens may lack a permission.
    case mayLackRole
    /// The request may name another project than the token's.
    case otherProject
    /// The service names the reason.
    case reasonNamed

    // MARK: Clocks
    /// Two other clocks agree.
    case othersAgree
    /// The other clock is the service's, which is rarely wrong.
    case rarelyWrong
    /// Only two clocks are known, and they differ.
    case onlyTwoClocks
    /// A time in the token is ahead of the time of the answer that it came with.
    case aheadOfAnswer
}

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
