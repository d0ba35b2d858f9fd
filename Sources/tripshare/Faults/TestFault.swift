import FleetEmulator
import TripText

/// A fault that a tester can inject by key: one entry of the fault menu ``all``.
struct TestFault: Sendable {
    /// What happens.
    enum Effect: Sendable {
        /// A fault of the answers to riders: in an emulator or, if there is none, in this program's own requests.
        case fault(Fault)
        /// A fault that is always injected in this program's own requests.
        case ownFault(Fault)
        /// The vehicles of an emulator stop and report nothing.
        case freeze
    }

    /// The name on the command line of the screen.
    let id: String
    /// The name in the menu and the banner.
    let title: Text
    /// What happens.
    let effect: Effect

    /// Whether it shows only with the next token, which is therefore fetched at once.
    var needsNewToken: Bool { if case .fault(let fault) = effect { fault.target == .tokens } else { false } }

    /// The fault menu.
    static let all: [TestFault] = [
        TestFault(id: "expired", title: .faultExpired, effect: .ownFault(fault(.engine, "revoked-tokens"))),
        TestFault(id: "other-trip", title: .faultOtherTrip, effect: .fault(fault(.tokens, "wrong-token"))),
        TestFault(id: "token-down", title: .faultTokenDown, effect: .fault(status(503, of: .tokens))),
        TestFault(id: "token-slow", title: .faultTokenSlow, effect: .fault(seconds(5, .tokens, "latency"))),
        TestFault(id: "401", title: .fault401, effect: .fault(status(401, of: .engine))),
        TestFault(id: "403", title: .fault403, effect: .fault(status(403, of: .engine))),
        TestFault(id: "429", title: .fault429, effect: .fault(status(429, of: .engine, retryAfter: 10))),
        TestFault(id: "503", title: .fault503, effect: .fault(status(503, of: .engine))),
        TestFault(id: "latency", title: .faultLatency, effect: .fault(seconds(3, .engine, "latency"))),
        TestFault(id: "drop-three", title: .faultDrop, effect: .ownFault(fault(.engine, "reset", count: 3))),
        TestFault(id: "cut-off", title: .faultCutOff, effect: .fault(fault(.engine, "truncated"))),
        TestFault(id: "frozen", title: .faultFrozen, effect: .freeze),
        TestFault(id: "clock", title: .faultClock, effect: .fault(seconds(90, .engine, "clock"))),
    ]

    private static func status(_ status: Int, of target: Fault.Target, retryAfter: Int? = nil) -> Fault {
        var values: [String: FaultValue] = ["status": .integer(status)]
        values["retry-after"] = retryAfter.map { .integer($0) }
        return fault(target, "status", values)
    }

    private static func seconds(_ seconds: Double, _ target: Fault.Target, _ kind: String) -> Fault {
        var values: [String: FaultValue] = [:]
        values["seconds"] = .number(seconds)
        return fault(target, kind, values)
    }

    private static func fault(
        _ target: Fault.Target,
        _ kind: String,
        _ values: [String: FaultValue] = [:],
        count: Int? = nil
    ) -> Fault {
        // In an emulator, the drivers' requests and tokens stay as they are.
        let path: String? =
            switch target {
            case .engine: "GET trips/"
            case .tokens: "consumer"
            case .credentials: nil
            }
        do {
            return try Fault(target, kind, values, count: count, path: path)
        } catch {
            // The menu is a part of the program, and tests read it.
            fatalError("\(kind): \(error.message)")
        }
    }

    /// Returns the name of a fault as displayed; an unknown one occurs in a recording of another version.
    static func name(of id: String, _ localizer: Localizer) -> String {
        all.first { $0.id == id }.map { localizer($0.title) } ?? excerpt(id)
    }

    /// The faults that are possible with or without an emulator.
    static func possible(withEmulator hasEmulator: Bool) -> [TestFault] {
        all.filter { if case .freeze = $0.effect { hasEmulator } else { true } }
    }
}
