/// The party that must fix a failure.
package enum Party: String, Sendable, Hashable, CaseIterable {
    /// The token endpoint, or another source of tokens.
    case tokenEndpoint = "token endpoint"
    /// The service account: its keys, its project, its roles.
    case serviceAccount = "service account"
    /// The clock of this machine.
    case clockHere = "clock here"
    /// The clock of the token endpoint, or of the machine that signs the tokens.
    case endpointClock = "clock of the endpoint"
    /// The clock of the service.
    case serviceClock = "clock of the service"
    /// The configuration of the service: its API, its quota, its trips.
    case serviceConfiguration = "service configuration"
    /// The service itself, for example during an outage.
    case service = "service"
    /// A server in front of the token endpoint or the service: a CDN, a firewall, a load balancer, a sign-in page.
    case gateway
    /// The network between this machine and the service or the endpoint, with its proxies.
    case network
    /// The flags, the environment and the configuration of this program.
    case commandLine = "this command line"
    /// A fault that this program or its emulator injected on purpose.
    case injectedFault = "injected fault"
}
