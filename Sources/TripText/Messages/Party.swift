package import Failures

extension Party {
    /// The name in a sentence.
    package var phrase: Text {
        switch self {
        case .tokenEndpoint: .partyTokenEndpoint
        case .serviceAccount: .partyServiceAccount
        case .clockHere: .partyClockHere
        case .endpointClock: .partyEndpointClock
        case .serviceClock: .partyServiceClock
        case .serviceConfiguration: .partyServiceConfiguration
        case .service: .partyService
        case .gateway: .partyGateway
        case .network: .partyNetwork
        case .commandLine: .partyCommandLine
        case .injectedFault: .partyInjectedFault
        }
    }
}
