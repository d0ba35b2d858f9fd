import Canvas
import Failures
import Runtime

/// The faults that this program or its emulator injected into a poll, a fetch or a call.
struct InjectedFaultLine: Encodable, Equatable {
    let names: [String]
    /// `client` or `emulator`.
    let place: String
    /// `unsent`, `replaced` or `altered`.
    let effect: String

    /// Creates the line of a fault; `nil` without one.
    init?(_ fault: InjectedFault?) {
        guard let fault else { return nil }
        names = fault.names.map { Printable.clean($0, limit: 60) }
        (place, effect) = (fault.place.rawValue, fault.effect.rawValue)
    }
}
