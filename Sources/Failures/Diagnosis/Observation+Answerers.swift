/// Who sent the answer.
extension Observation {
    /// How the attempt ended without a complete answer; `nil` if there was one.
    var ending: FailureCode? {
        switch exchange?.ending {
        case .failed(let code)?: return code
        case .complete?, .exited?, .killed?, .unavailable?: return nil
        case nil: break
        }
        guard failure.code.family == "transport" else { return nil }
        let namesEnding = [.refused, .unknownHost, .connectionLost, .timedOut, .tls].contains(failure.code)
        return failure.asked == .service || namesEnding ? failure.code : nil
    }

    /// Whether the body is not text.
    var isBinary: Bool { if case .binary? = answer?.body?.content { true } else { false } }

    // MARK: Kinds of answers

    /// Whether the answer redirects.
    var isRedirect: Bool { (300..<400).contains(status ?? 0) && status != 304 }

    /// Whether the answer says that its address was given up for another one.
    var isMoved: Bool { [301, 308].contains(status) && !isSignIn && !isPortal }

    /// Whether the answer says that there is nothing at its address.
    var isUnknownAddress: Bool { [404, 410].contains(status) && !isChallenge && !isFromProxy }

    /// Whether a page came with a status of success, and shows no sender.
    var isUnexpectedPage: Bool { isPlainPage && (status ?? 200) < 300 && !isFromGateway && !isPortal }

    /// Whether a firewall or a check for bots sent the answer: headers that only its refusals have, or two other signs.
    var isChallenge: Bool {
        if hasHeader(Marks.blocks) { return (status ?? 200) >= 400 || isPage }
        guard !isSessionExpected, !isForPrograms, !isFromFilter else { return false }
        let isRefusal = [401, 403, 405, 406, 429, 503].contains(status)
        let saysSo = isPage && says(Marks.challenges)
        // Their headers are on all answers that they let pass, too.
        if hasHeader(Marks.firewalls) { return isRefusal || saysSo }
        guard isPage else { return false }
        guard isRefusal else { return saysSo && title.map { Marks.challengeTitles.contains(String($0)) } ?? false }
        return saysSo || hasHeader(Marks.contentNetworks) && !isOfOrigin && status != 401 && status != 405
    }

    /// Whether headers say that the server behind a content network made the answer.
    private var isOfOrigin: Bool { hasHeader(["cf-cache-status:", "x-powered-by:"]) }

    /// Whether the answer asks for signing in: a redirect for this time to such an address, or a form.
    var isSignIn: Bool {
        if hasHeader(Marks.signInHeaders) { return true }
        // A permanent redirect names a new address, such as the address of an endpoint for tokens of OAuth 2.
        if isRedirect { return [302, 303, 307].contains(status) && leadsToSignIn }
        guard isPage else { return false }
        let hasForm = words.contains("<form") || words.contains("<input")
        if hasForm, Marks.signInFields.contains(where: words.contains) { return true }
        return isTitledSignIn && (hasForm || [401, 403].contains(status) || says(Marks.signInLinks))
    }

    /// Whether the answer asks for signing in, and no firewall and no network explains it.
    var isUnexplainedSignIn: Bool { isSignIn && !isChallenge && !isPortal && !isFromFilter }

    /// Whether more than a path shows that someone in front of the host asks for signing in: a header, a page, or another host.
    var isForeignSignIn: Bool { !isRedirect || leadsElsewhere || hasHeader(Marks.signInHeaders) }

    /// Whether the title of the page is one for signing in, such as `Sign in – Example`, and not the beginning of a sentence.
    private var isTitledSignIn: Bool {
        guard let title, let words = Marks.signInTitles.first(where: title.beginsWithWords) else { return false }
        let rest = title.dropFirst(words.count).drop(while: \.isWhitespace)
        return rest.first?.isLetter != true || rest.beginsWithWords("to") || rest.beginsWithWords("with")
    }

    /// Whether a label of the host or a step of the path of a redirect is a word for signing in.
    private var leadsToSignIn: Bool {
        guard let location else { return false }
        let address = location.prefix { !"?#".contains($0) }
        let parts = address.firstRange(of: "//").map { address[$0.upperBound...] } ?? address
        let steps = parts.split(separator: "/")
        let labels = address.contains("//") ? steps.first?.split { ".:".contains($0) } ?? [] : []
        let path = steps.map { $0.prefix { $0 != "." } }
        return (labels + path).contains { Marks.signInWords.contains(String($0)) }
    }

    /// Whether the answer comes from a proxy that opens no tunnel to the host.
    private var isRefusedTunnel: Bool {
        answer != nil && [.proxyFailed, .unusableProxy].contains(failure.root.code)
    }

    /// Whether the answer itself says that a proxy made it.
    var isMarkedByProxy: Bool {
        if isRefusedTunnel || status == 407 || hasHeader(["proxy-authenticate", "x-squid-error", "proxy-status"]) {
            return true
        }
        return isReadByProxy && namesProxy && (status ?? 0) >= 400
    }

    /// Whether a proxy that this machine uses sent the answer: its marks say so, or it is a page in place of an answer for programs.
    var isFromProxy: Bool { isMarkedByProxy || isReadByProxy && isPage && (status ?? 0) >= 400 }

    /// Whether a filter for the web traffic of a network sent the answer: by the header of one, or by a title that refuses with its
    /// name, or with the rule of a network where a filter can answer.
    ///
    /// It can answer on encrypted connections, too, because the machines of its network trust its certificates.
    var isFromFilter: Bool {
        guard isPage || isRedirect, !isOfOrigin else { return false }
        if hasHeader(Marks.filterServers) { return true }
        guard let title, Marks.filterTitles.contains(where: { title.hasWords($0) }) else { return false }
        return says(Marks.filterNames) || (mayBeIntercepted || isInspected) && says(Marks.filterPolicies)
    }

    /// Whether a proxy that this machine uses passes on the answer in clear: it sees none of an encrypted connection.
    var isReadByProxy: Bool {
        exchange?.connection?.proxy != nil && exchange?.connection?.isEncrypted == false
    }

    /// Whether a proxy may read an encrypted connection: certificates of its own may be trusted, or the certificate or the answer has
    /// the marks of one.
    var mayBeInspected: Bool {
        exchange?.connection?.options?[.cacert] != nil || isInspected || namesProxy
            || hasHeader(["x-squid-error", "proxy-status", "proxy-authenticate"])
    }

    /// Whether headers name a proxy as the server of the answer.
    private var namesProxy: Bool { hasHeader(Marks.proxies) }

    /// Whether a proxy that this machine uses could have sent an error, which has neither its marks nor a form for programs.
    var mayBeFromProxy: Bool {
        isReadByProxy && !isFromProxy && !isForPrograms && (400..<600).contains(status ?? 0)
    }

    /// Whether headers say that a proxy passed on the answer, or made it.
    var isViaProxy: Bool { hasHeader(["via:"]) }

    /// Whether a device between this machine and the host could have sent the answer.
    var mayBeIntercepted: Bool {
        exchange?.connection?.isEncrypted == false && exchange?.medium == .http && !isLocal
    }

    /// Whether the network around this machine redirects or shows a page instead of what was asked for.
    var isPortal: Bool {
        guard mayBeIntercepted, !isFromEndpoint, !isChallenge else { return false }
        if status == 511 || leadsElsewhere { return true }
        // A configured proxy passes on the pages of the host, too. The sign-in of a router is no endpoint's.
        return isPage && (status ?? 0) < 300 && exchange?.connection?.proxy == nil
            && (!isSignIn || hasHeader(Marks.routers))
    }

    /// Whether a gateway says that the server behind it did not answer: by a status that only gateways send, by a header and words, or
    /// by the page of a platform.
    var isDeadUpstream: Bool {
        guard let status, !isChallenge, !isFromProxy, !isFromFilter else { return false }
        if status >= 400, isPage, Marks.stoppedPages.contains(where: { title == $0[...] && says([$1]) }) { return true }
        let isOfGateway = [502, 504].contains(status) || (520...530).contains(status)
        if isOfGateway, !isForPrograms { return true }
        // A 503 may be the server's own, and so may every error for programs.
        return (isOfGateway || status == 503) && hasHeader(Marks.gateways) && says(Marks.upstreamWords)
    }

    /// Whether a gateway sent the answer in its own name and by its own rules.
    ///
    /// Its server errors usually report failures of the server behind it.
    var isFromGateway: Bool {
        if isPage, Marks.gatewayPages.contains(where: { hasHeader([$0]) && says([$1]) }) { return true }
        guard let status, (400..<500).contains(status), !isTLSExpected else { return false }
        if hasGatewayWords { return true }
        // What a mesh has passed on is the server's.
        guard answer?.header("x-envoy-upstream-service-time") == nil else { return false }
        // Services of AWS name their errors in the same header, in another form of JSON.
        if hasHeader(Marks.gatewayErrors), !isOfAWS { return true }
        return isPage && hasHeader(Marks.gateways) && answer?.header("x-powered-by") == nil
            && [400, 403, 405, 406, 408, 413, 414, 429, 431, 494, 497].contains(status)
    }

    /// Whether the answer begins with the words of a gateway, in plain text or with the header of one, or has the form of its errors.
    private var hasGatewayWords: Bool {
        if Marks.gatewayForms.contains(where: { words.hasWords($0) && words.contains($1) }) { return true }
        guard let message = answer?.body?.message?.lowercased(), answer?.header("x-powered-by") == nil else {
            return false
        }
        // Numbers from 1000 are errors of Cloudflare's own.
        if hasHeader(["server: cloudflare"]), message.hasPrefix("error code: 10") { return true }
        let isPlain = answer?.mediaType == "text/plain"
        return (isPlain || hasHeader(Marks.gateways)) && Marks.gatewayMessages.contains(where: message.beginsWithWords)
    }

    /// Whether the answer has the form of an error of Google's services.
    var isOfGoogle: Bool {
        exchange == nil || exchange?.medium == .grpc || words.contains("\"error\"") && words.contains("\"code\"")
    }

    /// Whether the endpoint itself sent the answer: an error for programs, or plain text.
    var isFromEndpoint: Bool {
        status != nil && !isRefusedTunnel && !isRedirect && !isPage && !isFromGateway && !isChallenge
            && !isSignIn
            && !(status == 407 || hasHeader(["x-squid-error", "proxy-authenticate"]) || isReadByProxy && namesProxy)
    }

    /// Whether the answer is a page without a further mark.
    var isPlainPage: Bool {
        isPage && !isChallenge && !isSignIn && !isFromProxy && !isDeadUpstream && !isRedirect && !isRuntimeError
            && (status ?? 200) < 500
    }

    /// Whether the answer shows an error of the language or the framework that the endpoint is written in.
    var isRuntimeError: Bool { Marks.runtimeErrors.contains { words.hasWords($0) && words.contains($1) } }

    /// Whether the endpoint expects a browser's session: 419, or words about a forged request.
    var isSessionExpected: Bool {
        status == 419 || [400, 403, 422].contains(status) && !isSignIn && says(Marks.sessionWords)
    }

    /// Whether a successful answer reports an error.
    var isErrorReport: Bool {
        if failure.code == .sourceErrorAnswer { return true }
        guard case .text(let text)? = answer?.body?.content else { return false }
        let beginning = text.lowercased().filter { !$0.isWhitespace }
        if beginning.contains("\"success\":false") || beginning.contains("\"ok\":false") { return true }
        return Marks.errorMembers.contains { name in
            guard let value = beginning.firstRange(of: "\"\(name)\":").map({ beginning[$0.upperBound...] }) else {
                return false
            }
            return !Marks.noErrors.contains(where: value.hasPrefix)
        }
    }
}
