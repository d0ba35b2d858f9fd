/// The tokens of a backend, by the calls that they permit.
package enum BackendToken: Sendable, Hashable, CaseIterable {
    /// All trips and vehicles.
    case trips
    /// All tasks and delivery vehicles.
    case deliveries
    /// BatchCreateTasks, whose claim must be the only one.
    case taskBatch

    /// For whom the token is signed.
    var holder: TokenMint.Holder {
        switch self {
        case .trips: .server
        case .deliveries: .deliveryServer
        case .taskBatch: .deliveryBatch
        }
    }
}
