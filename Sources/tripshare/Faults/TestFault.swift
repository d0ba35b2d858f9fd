import FleetEmulator
import TripScreen
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
    /// What the rider's app does about it, in a sentence.
    let about: Text
    /// What happens.
    let effect: Effect

    private init(_ id: String, _ title: Text, _ about: Text, _ effect: Effect) {
        (self.id, self.title, self.about, self.effect) = (id, title, about, effect)
    }

    /// The entry of the menu on a screen.
    var choice: FaultChoice { FaultChoice(id: id, title: title, about: about) }

    /// Whether it shows only with the next token, which is therefore fetched at once.
    var needsNewToken: Bool { if case .fault(let fault) = effect { fault.target == .tokens } else { false } }

    /// The fault menu.
    static let all: [TestFault] = [
        TestFault("expired", .faultExpired, .faultAboutExpired, .ownFault(fault(.engine, "revoked-tokens"))),
        TestFault("other-trip", .faultOtherTrip, .faultAboutOtherTrip, .fault(fault(.tokens, "wrong-token"))),
        TestFault("token-down", .faultTokenDown, .faultAboutTokenDown, .fault(status(503, of: .tokens))),
        TestFault("token-slow", .faultTokenSlow, .faultAboutTokenSlow, .fault(seconds(5, .tokens, "latency"))),
        TestFault("401", .fault401, .faultAbout401, .fault(status(401, of: .engine))),
        TestFault("403", .fault403, .faultAbout403, .fault(status(403, of: .engine))),
        TestFault("429", .fault429, .faultAbout429, .fault(status(429, of: .engine, retryAfter: 10))),
        TestFault("503", .fault503, .faultAbout503, .fault(status(503, of: .engine))),
        TestFault("latency", .faultLatency, .faultAboutLatency, .fault(seconds(3, .engine, "latency"))),
        TestFault("drop-three", .faultDrop, .faultAboutDrop, .ownFault(fault(.engine, "reset", count: 3))),
        TestFault("cut-off", .faultCutOff, .faultAboutCutOff, .fault(fault(.engine, "truncated"))),
        TestFault("frozen", .faultFrozen, .faultAboutFrozen, .freeze),
        TestFault("clock", .faultClock, .faultAboutClock, .fault(seconds(90, .engine, "clock"))),
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
