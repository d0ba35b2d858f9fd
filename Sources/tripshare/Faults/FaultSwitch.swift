import FleetEmulator
import Foundation
import Synchronization
import Transport
import TripModel
import TripText

/// Switches the faults of the menu: in an emulator through its control API, otherwise in this program's own requests.
final class FaultSwitch: Sendable {
    private struct State {
        /// The numbers of the emulator's faults by the names of the menu; `nil` for a freeze.
        var emulated: [(id: String, number: Int?)] = []
    }

    /// An emulator that can be controlled.
    struct Emulator: Sendable {
        /// The base URL of the control API.
        var controlURL: String
        /// The vehicles that can be frozen.
        var vehicles: [VehicleID]
    }

    /// The faults in this program's own requests.
    let client: ClientFaults
    private let emulator: Emulator?
    private let transport: HTTPTransport
    private let state = Mutex(State())

    /// Creates a switch; requests to the control API pass `transport`, which must inject no faults.
    init(client: ClientFaults, emulator: Emulator?, transport: HTTPTransport) {
        (self.client, self.emulator, self.transport) = (client, emulator, transport)
    }

    /// The menu.
    var faults: [TestFault] { TestFault.possible(withEmulator: emulator != nil) }

    /// The names of the active faults, those of the emulator first.
    var active: [String] { state.withLock { $0.emulated.map(\.id) } + client.active }

    /// Switches a fault on or off; returns an error message if the emulator can't be reached.
    func toggle(_ id: String) async -> String? {
        guard let fault = faults.first(where: { $0.id == id }) else { return nil }
        if active.contains(id) { return await clear([id]) }
        switch fault.effect {
        case .ownFault(let fault): client.add(id, fault)
        case .fault(let fault):
            guard emulator != nil else {
                client.add(id, fault)
                return nil
            }
            // The faults of the menu can be encoded, as tests show.
            let body = (try? JSONEncoder().encode(fault)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            struct Answer: Decodable { var id: Int }
            let (answer, problem) = await send("POST", "faults", body)
            // An answer without a number is as unusable as none.
            guard let answer, let number = (try? JSONDecoder().decode(Answer.self, from: Data(answer)))?.id else {
                return problem ?? Localizer.ofProcess(.faultUnreachable)
            }
            state.withLock { $0.emulated.append((id, number)) }
        case .freeze:
            for vehicle in emulator?.vehicles ?? [] {
                if let problem = await send("POST", "vehicles/\(vehicle.rawValue):freeze").problem { return problem }
            }
            state.withLock { $0.emulated.append((id, nil)) }
        }
        return nil
    }

    /// Switches all faults off; returns an error message if the emulator can't be reached.
    func clear() async -> String? { await clear(active) }

    private func clear(_ ids: [String]) async -> String? {
        for id in ids {
            client.remove(id)
            guard let emulator, let entry = state.withLock({ $0.emulated.first { $0.id == id } }) else { continue }
            if let number = entry.number {
                // An emulator whose faults were cleared by someone else answers 404.
                let (_, problem) = await send("DELETE", "faults/\(number)", accepts: [200, 404])
                if let problem { return problem }
            } else {
                for vehicle in emulator.vehicles {
                    let (_, problem) = await send("POST", "vehicles/\(vehicle.rawValue):release")
                    if let problem { return problem }
                }
            }
            state.withLock { $0.emulated.removeAll { $0.id == id } }
        }
        return nil
    }

    private func send(
        _ method: String,
        _ path: String,
        _ body: String = "",
        accepts: Set<Int> = [200]
    ) async -> (body: [UInt8]?, problem: String?) {
        guard let emulator else { return (nil, nil) }
        let request = HTTPTransportRequest(
            method: method,
            url: "\(emulator.controlURL)/\(path)",
            headers: [("Content-Type", "application/json")],
            body: Array(body.utf8),
            timeout: .seconds(5)
        )
        do {
            let response = try await transport.send(request)
            guard accepts.contains(response.status) else {
                return (nil, Localizer.ofProcess(.faultRefused, ["status": "\(response.status)"]))
            }
            return (response.body, nil)
        } catch {
            return (nil, Localizer.ofProcess(.faultUnreachable))
        }
    }
}
