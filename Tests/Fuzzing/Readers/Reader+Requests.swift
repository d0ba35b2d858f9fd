import Dispatch
import FleetEmulator
import Foundation
import Runtime
import Synchronization
import TripModel

extension Reader {
    /// Requests to the emulator: a line with method and target, a line with the content type, and the body.
    static let ofRequests: [Reader] = [
        Reader(name: "control-api") { input in
            guard let request = request(input) else { return }
            let scene = scene
            answer { await scene.control.answer(request, at: now) }
        },
        Reader(name: "service-api") { input in
            guard var request = request(input) else { return }
            let scene = scene
            // A token for trips covers no deliveries.
            for token in tokens {
                request.authorization = "Bearer " + token
                answer { [request] in await scene.router.engine(request, at: now) }
            }
        },
        Reader(name: "token-endpoint") { input in
            guard let request = request(input) else { return }
            let scene = scene
            answer { await scene.router.tokens(request, at: now) }
            answer { await scene.router.google(request, at: now) }
        },
    ]

    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private static func request(_ input: [UInt8]) -> PlainRequest? {
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        let words = String(decoding: lines[0], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        return PlainRequest(
            method: String(words[0]),
            target: String(words[1]),
            authorization: nil,
            body: Array(lines[2]),
            contentType: String(decoding: lines[1], as: UTF8.self)
        )
    }

    /// Waits for an answer, which must not be a failure of the emulator.
    private static func answer(_ answer: @escaping @Sendable () async -> PlainResponse) {
        let status = waiting { await answer().status }
        require((100..<500).contains(status) || status == 501, "A request is answered with \(status).")
    }

    /// Keys and the operator's tokens for trips and deliveries, which are the same for all inputs.
    private static let (keys, tokens) = waiting {
        guard let keys = try? await EmulatorKeys(),
            let trips = try? await Scene(keys).router.operatorToken(),
            let deliveries = try? await Scene(keys).router.operatorToken(ofDeliveries: true)
        else { fatalError("The emulator has no keys.") }
        return (keys, [trips, deliveries])
    }

    /// A new emulator, so that no input depends on those before it.
    private static var scene: Scene { Scene(keys) }
}

/// Waits for a function in a thread that has nothing else to do.
private func waiting<Value: Sendable>(for function: @escaping @Sendable () async -> Value) -> Value {
    let result = Mutex<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task {
        let value = await function()
        result.withLock { $0 = value }
        isDone.signal()
    }
    let end = isDone.wait(timeout: .now() + 20)
    guard end == .success, let value = result.withLock(\.self) else { fatalError("There is no answer after 20 s.") }
    return value
}

/// An emulator without a network.
private struct Scene: Sendable {
    let router: RequestRouter
    let control: ControlRoutes

    init(_ keys: EmulatorKeys) {
        let provider = Reader.constant(try? ProviderID("p"))
        let faults = FaultInjector()
        let clock = StoppedClock()
        router = RequestRouter(
            FleetService(.world(World(provider: provider))),
            keys: keys,
            options: EmulatorOptions(),
            clock: clock,
            faults: faults
        )
        control = ControlRoutes(
            control: EmulatorControl(
                faults: faults,
                drivers: DriverControl(),
                clock: .init(pause: { _ in }, setSpeed: { _ in true }, step: { _ in }, isPaused: { false }),
                provider: provider,
                resets: EmulatorReset()
            ),
            router: router,
            clock: clock
        )
    }
}

/// A clock on which every wait is over at once.
private struct StoppedClock: TripClock {
    var speed: Double { 1 }
    var realTime: Duration { .zero }

    func now() -> Moment { Moment(wall: Date(timeIntervalSince1970: 1_700_000_000), steady: .zero) }
    func sleep(until deadline: Duration) {}
}
