import Failures

/// What is wrong, and who must fix it.
enum Truth: String, CaseIterable {
    // The token endpoint
    case endpointCrashes, endpointDown, endpointReportsError, endpointLimits, endpointWantsSession, endpointCutsAnswer
    case endpointSendsBinary, endpointStopped
    // The command line
    case loginMissing, pathWrong, methodWrong, bodyWrong, keyWrong, addressOfSite, addressMoved, tripNotAllowed
    // What is in front of the endpoint
    case firewall, signIn, gatewayRefuses
    // The network
    case captivePortal, proxyRefuses, nameUnknown
    // The service
    case serviceDown, serviceGateway, serviceWrongAddress, serviceNotEnabled, serviceRole, servicePortal

    /// The party that must fix it.
    var party: Party {
        switch self {
        case .endpointCrashes, .endpointDown, .endpointReportsError, .endpointLimits, .endpointWantsSession,
            .endpointCutsAnswer, .endpointSendsBinary, .endpointStopped:
            .tokenEndpoint
        case .loginMissing, .pathWrong, .methodWrong, .bodyWrong, .keyWrong, .addressOfSite, .addressMoved,
            .tripNotAllowed, .serviceWrongAddress:
            .commandLine
        case .firewall, .signIn, .gatewayRefuses, .serviceGateway: .gateway
        case .captivePortal, .proxyRefuses, .nameUnknown, .servicePortal: .network
        case .serviceDown: .service
        case .serviceNotEnabled: .serviceConfiguration
        case .serviceRole: .serviceAccount
        }
    }

    /// Whether the endpoint could have given tokens before, although the settings are the same.
    var mayFollowTokens: Bool { party != .commandLine }

    /// Whether it is about a request to the service.
    var isOfService: Bool { rawValue.hasPrefix("service") }
}

/// What is between the client and the endpoint, and lets the answer pass.
enum Between: CaseIterable {
    case nothing, contentNetwork, loadBalancer, mesh, tunnel
}
