import TripText

/// A fault that a tester can inject by key: one entry of the fault menu ``all``.
struct TestFault: Sendable {
    /// What the emulator does.
    enum EmulatorEffect: Sendable, Equatable {
        /// It gets this fault through its control API, in the format of `ControlAPI.md`.
        case fault(String)
        /// Its vehicles stop and report nothing.
        case freeze
    }

    /// What this program does to its own requests; the service never receives a faulty request.
    enum ClientEffect: Sendable, Equatable {
        /// A poll gets this error instead of being sent.
        case answer(status: Int, name: String, retryAfter: Int? = nil)
        /// A poll waits this long in real time before it is sent.
        case delay(Duration)
        /// The connections of this many polls are lost.
        case lose(Int)
        /// The connection is lost within the answer.
        case cutOff
        /// The `Date` header is shifted.
        case shiftDate(Duration)
        /// The tokens sent so far are refused.
        case expireTokens
        /// A token fetch fails.
        case refuseToken
        /// A token fetch takes this long in real time.
        case delayToken(Duration)
        /// A new token names another trip, and is refused before it is sent.
        case otherTrip
    }

    /// The name on the command line of the screen.
    let id: String
    /// The name in the menu and the banner.
    let title: StringKey
    /// What an emulator does; `nil` if this program does it to its own requests.
    var emulator: EmulatorEffect?
    /// What is done without an emulator; `nil` if only an emulator can do it.
    var client: ClientEffect?
    /// Whether it shows only with the next token, which is therefore fetched at once.
    var needsNewToken = false

    /// The fault menu.
    static let all: [TestFault] = [
        TestFault(id: "expired", title: .faultExpired, client: .expireTokens),
        TestFault(
            id: "other-trip",
            title: .faultOtherTrip,
            emulator: .fault(#"{"on":"tokens","kind":"wrong-token","path":"consumer"}"#),
            client: .otherTrip,
            needsNewToken: true
        ),
        TestFault(
            id: "token-down",
            title: .faultTokenDown,
            emulator: .fault(#"{"on":"tokens","kind":"status","status":503,"path":"consumer"}"#),
            client: .refuseToken,
            needsNewToken: true
        ),
        TestFault(
            id: "token-slow",
            title: .faultTokenSlow,
            emulator: .fault(#"{"on":"tokens","kind":"latency","seconds":5,"path":"consumer"}"#),
            client: .delayToken(.seconds(5)),
            needsNewToken: true
        ),
        status(401, "UNAUTHENTICATED", .fault401),
        status(403, "PERMISSION_DENIED", .fault403),
        status(429, "RESOURCE_EXHAUSTED", .fault429, retryAfter: 10),
        status(503, "UNAVAILABLE", .fault503),
        TestFault(
            id: "latency",
            title: .faultLatency,
            emulator: .fault(#"{"on":"engine","kind":"latency","seconds":3,"path":"GET trips/"}"#),
            client: .delay(.seconds(3))
        ),
        TestFault(id: "drop-three", title: .faultDrop, client: .lose(3)),
        TestFault(
            id: "cut-off",
            title: .faultCutOff,
            emulator: .fault(#"{"on":"engine","kind":"truncated","path":"GET trips/"}"#),
            client: .cutOff
        ),
        TestFault(id: "frozen", title: .faultFrozen, emulator: .freeze),
        TestFault(
            id: "clock",
            title: .faultClock,
            emulator: .fault(#"{"on":"engine","kind":"clock","seconds":90,"path":"GET trips/"}"#),
            client: .shiftDate(.seconds(90))
        ),
    ]

    private static func status(_ status: Int, _ name: String, _ title: StringKey, retryAfter: Int? = nil) -> TestFault {
        let retry = retryAfter.map { ",\"retry-after\":\($0)" } ?? ""
        return TestFault(
            id: "\(status)",
            title: title,
            emulator: .fault(
                "{\"on\":\"engine\",\"kind\":\"status\",\"status\":\(status)\(retry),\"path\":\"GET trips/\"}"
            ),
            client: .answer(status: status, name: name, retryAfter: retryAfter)
        )
    }

    /// Returns the name of a fault as displayed; an unknown one occurs in a recording of another version.
    static func name(of id: String, _ localizer: Localizer) -> String {
        all.first { $0.id == id }.map { localizer($0.title) } ?? excerpt(id)
    }

    /// The faults that are possible with or without an emulator.
    static func possible(withEmulator hasEmulator: Bool) -> [TestFault] {
        all.filter { $0.client != nil || (hasEmulator && $0.emulator != nil) }
    }
}
