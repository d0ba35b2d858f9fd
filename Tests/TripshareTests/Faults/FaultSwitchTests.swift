import Failures
import FleetEmulator
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripScreen
import TripTestSupport

@testable import tripshare

@Suite("Faults of an emulator in the menu", .ends(within: .longTest))
struct FaultSwitchTests {
    /// A control API with the rules of the manual, which keeps faults as they were sent.
    private final class Control: Sendable {
        struct State {
            var faults: [(number: Int, text: String)] = []
            var frozen: [String] = []
            var last = 0
            /// Loses the answers to changes after it has made them.
            var losesAnswers = false
            /// Refuses connections.
            var isGone = false
            var paths: [String] = []
        }

        let state = Mutex(State())

        var transport: HTTPTransport {
            HTTPTransport { [self] request async throws(Failure) in
                // Other tasks go on before the answer, as over a network.
                for _ in 1...20 { await Task.yield() }
                let (body, isLost) = try answer(request)
                if isLost { throw .connectionLost }
                return HTTPTransportResponse(status: body == nil ? 404 : 200, body: Array((body ?? "").utf8))
            }
        }

        private func answer(_ request: HTTPTransportRequest) throws(Failure) -> (String?, isLost: Bool) {
            let path = String(request.url.trimmingPrefix("http://control/"))
            return try state.withLock { state throws(Failure) in
                if state.isGone { throw .refused }
                state.paths.append("\(request.method) \(path)")
                var isKnown = true
                switch (request.method, path) {
                case ("GET", "faults"): break
                case ("POST", "faults"):
                    state.last += 1
                    state.faults.append((state.last, String(decoding: request.body, as: UTF8.self)))
                case ("DELETE", _):
                    let count = state.faults.count
                    state.faults.removeAll { "faults/\($0.number)" == path }
                    isKnown = state.faults.count < count
                case ("POST", _) where path.hasSuffix(":freeze"): state.frozen.append(String(path.dropLast(7)))
                case ("POST", _) where path.hasSuffix(":release"):
                    state.frozen.removeAll { $0 == path.dropLast(8) }
                default: isKnown = false
                }
                let list = state.faults.map { #"{"id":\#($0.number),"fault":\#($0.text)}"# }.joined(separator: ",")
                let frozen = state.frozen.map { "\"\($0)\"" }.joined(separator: ",")
                let all = #"{"faults":[\#(list)]\#(frozen.isEmpty ? "" : #","frozen":[\#(frozen)]"#)}"#
                return (isKnown ? all : nil, state.losesAnswers && request.method != "GET")
            }
        }
    }

    private let control = Control()

    private func faults(vehicles: [DrivenVehicle] = []) -> FaultSwitch {
        FaultSwitch(
            client: ClientFaults(clock: ManualClock()) { _ in },
            emulator: EmulatorFaults(
                controlURL: "http://control",
                vehicles: vehicles,
                transport: control.transport
            )
        )
    }

    @Test func `two quick toggles leave neither a fault in the emulator nor one in the menu`() async {
        let faults = faults()
        let shown = Locked<[[String]]>([])
        let changes = (1...2).map { _ in
            faults.begin(.toggle("503")) { active in shown.withLock { $0.append(active) } }
        }
        for change in changes { #expect(await change.value == nil) }
        #expect(control.state.withLock { $0.faults.isEmpty })
        #expect(faults.active.isEmpty)
        #expect(shown.withLock { $0 } == [["503"], []])
    }

    @Test(arguments: [3, 4, 9, 10])
    func `after many quick toggles the menu shows what the emulator has`(count: Int) async {
        let faults = faults()
        for change in (1...count).map({ _ in faults.begin(.toggle("403")) }) { _ = await change.value }
        #expect(control.state.withLock { $0.faults.count } == count % 2)
        #expect(faults.active == (count % 2 == 1 ? ["403"] : []))
    }

    @Test func `a clear after a toggle that is not answered yet leaves nothing`() async throws {
        let faults = faults(vehicles: [.ofTrips(try VehicleID("v-1"))])
        let ids = ["503", "expired", "frozen", "token-down"]
        let changes = ids.map { faults.begin(.toggle($0)) } + [faults.begin(.clear)]
        for change in changes { #expect(await change.value == nil) }
        #expect(control.state.withLock { $0.faults.isEmpty && $0.frozen.isEmpty })
        #expect(faults.active.isEmpty)
    }

    @Test func `a change whose answer was lost is shown as the emulator has made it`() async {
        let faults = faults()
        control.state.withLock { $0.losesAnswers = true }
        #expect(await faults.begin(.toggle("503")).value == nil)
        #expect(faults.active == ["503"])
        #expect(await faults.begin(.toggle("503")).value == nil)
        #expect(faults.active.isEmpty)
        #expect(control.state.withLock { $0.faults.isEmpty })
    }

    @Test func `a fault that another client has removed or added is shown so after the next change`() async throws {
        let faults = faults()
        _ = await faults.begin(.toggle("503")).value
        let text = try #require(control.state.withLock { $0.faults.first?.text })
        control.state.withLock { $0.faults = [] }
        _ = await faults.begin(.toggle("403")).value
        #expect(faults.active == ["403"])
        control.state.withLock { $0.faults.append((77, text)) }
        _ = await faults.begin(.toggle("403")).value
        #expect(faults.active == ["503"])
        #expect(await faults.begin(.clear).value == nil)
        #expect(control.state.withLock { $0.faults.isEmpty })
    }

    @Test func `an emulator that has gone changes nothing in the menu and is reported`() async {
        let faults = faults()
        _ = await faults.begin(.toggle("503")).value
        control.state.withLock { $0.isGone = true }
        for change in [FaultChange.toggle("503"), .toggle("403"), .clear] {
            #expect(await faults.begin(change).value?.contains("can't be reached") == true)
            #expect(faults.active == ["503"])
        }
    }

    @Test(arguments: ["van 1", "50%", "v+1", "\u{1F695}", "a&b=c", "v\"1", "v;1"])
    func `vehicles with any ID are stopped and go on`(id: String) async throws {
        let vehicles: [DrivenVehicle] = [
            .ofTrips(try VehicleID(id)), .ofDeliveries(try DeliveryVehicleID(id)),
        ]
        let faults = faults(vehicles: vehicles)
        #expect(await faults.begin(.toggle("frozen")).value == nil)
        #expect(faults.active == ["frozen"])
        // RFC 3986: everything but letters, digits and -._~ is encoded, as Foundation does it with that set.
        let unreserved = CharacterSet(charactersIn: "-._~").union(
            CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
                .union(CharacterSet(charactersIn: "0"..."9"))
        )
        let encoded = try #require(id.addingPercentEncoding(withAllowedCharacters: unreserved))
        let paths = control.state.withLock(\.paths)
        #expect(paths.contains("POST vehicles/\(encoded):freeze"))
        #expect(paths.contains("POST deliveryVehicles/\(encoded):freeze"))
        #expect(await faults.begin(.toggle("frozen")).value == nil)
        #expect(faults.active.isEmpty)
        #expect(control.state.withLock { $0.frozen.isEmpty })
    }

    @Test func `without vehicles nothing is stopped and nothing is shown as stopped`() async {
        let faults = faults()
        #expect(await faults.begin(.toggle("frozen")).value == nil)
        #expect(faults.active.isEmpty)
    }
}
