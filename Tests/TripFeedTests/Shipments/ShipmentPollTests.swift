import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// How shipments are requested and when.
@Suite("Polling of shipments", .ends(within: .quickTest))
struct ShipmentPollTests {
    private let scene: ShipmentScene
    private let clock = ManualClock()

    init() throws { scene = try ShipmentScene() }

    private func trip(_ state: DeliveryTask.State, _ outcome: DeliveryTask.Outcome?) -> Journey {
        .shipment(scene.info { ($0.state, $0.outcome) = (state, outcome) })
    }

    private func machine(timeout: Duration = .seconds(60)) -> PollMachine {
        var policy = PollMachine.Policy(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil)
        policy.attemptTimeout = timeout
        return PollMachine(policy: policy, firstDue: .zero)
    }

    private func report(
        _ body: String,
        check: @escaping @Sendable (HTTPTransportRequest) -> Void = { _ in }
    ) async throws -> PollReport {
        let now = clock.now().wall
        let source = ScriptedTokenSource { fetch in
            .token(IssuedToken(FakeToken(fetch.context, issuedAt: now, serial: fetch.number).text))
        }
        let client = FleetClient(
            endpoint: try ServiceEndpoint("https://engine.example"),
            tokens: TokenProvider(source: source, clock: clock, seed: 1),
            transport: HTTPTransport { request async throws(Failure) in
                check(request)
                return HTTPTransportResponse(status: 200, body: [UInt8](body.utf8))
            },
            clock: clock
        )
        return await client.get(JourneyRequest(provider: try ProviderID("p"), journey: scene.id))
    }

    @Test func `GetTaskTrackingInfo is called with a token for the tracking ID`() async throws {
        let now = clock.now().wall
        let body = #"{"name":"providers/p/taskTrackingInfo/s","trackingId":"s","state":"OPEN","remainingStopCount":2}"#
        let report = try await report(body) { request in
            #expect(
                request.url == "https://engine.example/v1/providers/p/taskTrackingInfo/s" && request.method == "GET"
            )
            let value = request.headers.first { $0.name == "authorization" }?.value ?? ""
            let claims = TokenInspection.inspect(String(value.dropFirst("Bearer ".count)), .init(), now: now).claims
            #expect(claims?.ids.map(\.id) == ["s"] && claims?.ids.map(\.kind) == [.tracking])
        }
        let trip = try report.outcome.get()
        #expect(trip.id == scene.id && trip.status == .shipment(.open) && trip.shipment?.remainingStopCount == 2)
        #expect(report.operation == .getTaskTrackingInfo && report.journey == scene.id)
    }

    @Test func `an answer about another shipment is not accepted`() async throws {
        let body = #"{"name":"providers/p/taskTrackingInfo/other","trackingId":"other","state":"OPEN"}"#
        let report = try await report(body)
        guard report.failure?.code == .anotherTrip else {
            Issue.record("\(report.outcome)")
            return
        }
    }

    @Test func `the gRPC call has the method of DeliveryService and no routing`() throws {
        let call = FleetCall(JourneyRequest(provider: try ProviderID("p"), journey: scene.id))
        #expect(call.method == "/maps.fleetengine.delivery.v1.DeliveryService/GetTaskTrackingInfo")
        #expect(String(decoding: call.message, as: UTF8.self) == #"{"name":"providers/p/taskTrackingInfo/s"}"#)
        #expect(call.routing == nil)
    }

    @Test func `one more poll confirms that a shipment was closed with success`() {
        var machine = machine()
        machine.began(at: .zero)
        machine.answered(trip(.closed, .succeeded), at: .zero)
        #expect(machine.schedule.reason == .confirmingEnd)
        machine.began(at: .seconds(5))
        machine.answered(trip(.closed, .succeeded), at: .seconds(5))
        #expect(machine.action(at: .seconds(5)) == .stop(.reached(.shipment(.succeeded))))
    }

    @Test func `after a pickup, the delivery with the same tracking ID is followed`() {
        var machine = machine()
        for (second, outcome) in [(0, DeliveryTask.Outcome.succeeded), (5, .succeeded), (10, nil), (15, .succeeded)] {
            machine.began(at: .seconds(second))
            machine.answered(trip(.open, outcome), at: .seconds(second))
            #expect(machine.action(at: .seconds(second)) == .wait(until: .seconds(second + 5)))
        }
        var state = TripState(id: scene.id)
        for (second, outcome) in [(0.0, DeliveryTask.Outcome.succeeded), (5, nil)] {
            state.merge(
                trip(.open, outcome),
                serverDate: nil,
                at: Moment(wall: ShipmentScene.start + second, steady: .seconds(second))
            )
        }
        #expect(state.journey?.status == .shipment(.open) && state.outdatedAnswers == 0)
    }

    @Test(arguments: [DeliveryTask.State.open, .closed])
    func `an earlier answer of a cache is no next attempt`(_ closed: DeliveryTask.State) {
        var state = TripState(id: scene.id)
        let start = ShipmentScene.start
        state.merge(trip(closed, .failed), serverDate: start + 60, at: Moment(wall: start + 60, steady: .seconds(60)))
        state.merge(trip(.open, nil), serverDate: start, at: Moment(wall: start + 65, steady: .seconds(65)))
        #expect(state.journey?.status == .shipment(.failed) && state.outdatedAnswers == 1)
        state.merge(trip(.open, nil), serverDate: start + 70, at: Moment(wall: start + 70, steady: .seconds(70)))
        #expect(state.journey?.status == .shipment(.open))
    }

    @Test func `a failed attempt whose task is open is followed at the usual rate`() {
        var machine = machine()
        machine.began(at: .zero)
        machine.answered(trip(.open, .failed), at: .zero)
        #expect(machine.action(at: .zero) == .wait(until: .seconds(5)) && machine.schedule.reason == .interval)
    }

    @Test(arguments: [DeliveryTask.Outcome.failed, nil])
    func `a closed shipment is polled half as often, and no longer than the wait for the next attempt`(
        _ outcome: DeliveryTask.Outcome?
    ) {
        var machine = machine()
        var now = Duration.zero
        var polls = 0
        while case .poll = machine.action(at: now) {
            machine.began(at: now)
            machine.answered(trip(.closed, outcome), at: now)
            polls += 1
            guard case .wait(let next) = machine.action(at: now) else { break }
            #expect(next == now + .seconds(10) && machine.schedule.reason == .nextAttempt)
            now = next
        }
        #expect(machine.action(at: now) == .stop(.reached(.shipment(outcome == nil ? .closed : .failed))))
        #expect(now == .seconds(60) && polls == 7)
    }

    @Test func `another attempt is followed as the first was, and its own end counts again`() {
        var machine = machine()
        for second in [0, 50] {
            machine.began(at: .seconds(second))
            machine.answered(trip(.closed, .failed), at: .seconds(second))
        }
        machine.began(at: .seconds(55))
        machine.answered(trip(.open, nil), at: .seconds(55))
        #expect(machine.schedule.reason == .interval)
        machine.began(at: .seconds(60))
        machine.answered(trip(.closed, .failed), at: .seconds(60))
        #expect(machine.action(at: .seconds(60)) == .wait(until: .seconds(70)))
    }

    @Test func `failures do not prolong the wait for the next attempt`() {
        var (machine, random) = (machine(), SeededGenerator(seed: 1))
        machine.began(at: .zero)
        machine.answered(trip(.closed, .failed), at: .zero)
        machine.began(at: .seconds(10))
        machine.failed(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil), at: .seconds(10), random: &random)
        guard case .wait = machine.action(at: .seconds(10)) else {
            Issue.record("it ended early")
            return
        }
        machine.began(at: .seconds(61))
        machine.failed(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil), at: .seconds(61), random: &random)
        #expect(machine.action(at: .seconds(61)) == .stop(.reached(.shipment(.failed))))
    }
}
