import Failures
import FleetEmulator
import Foundation
import TripModel
import TripText

/// The faults and the stopped vehicles of an emulator, through its control API.
struct EmulatorFaults: Sendable {
    /// Why a request failed, as a text.
    struct Problem: Error {
        var text: String
    }

    /// What the emulator answers to a question for its faults.
    struct Listing: Decodable, Sendable {
        /// An active fault.
        struct Entry: Decodable, Sendable {
            /// The number.
            var id: Int
            /// The fault; `nil` for a fault that this version does not know.
            var fault: Fault?

            private enum CodingKeys: CodingKey { case id, fault }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(Int.self, forKey: .id)
                // A fault of another version is none of the menu.
                fault = try? container.decode(Fault.self, forKey: .fault)
            }
        }

        /// The active faults.
        var faults: [Entry]
        /// The stopped vehicles as in the paths of the API; `nil` for none.
        var frozen: [String]?
    }

    /// The base URL of the control API.
    let controlURL: String
    /// The vehicles that can be stopped.
    let vehicles: [DrivenVehicle]
    /// The transport of the requests; it must inject no faults.
    let transport: HTTPTransport

    /// Returns what is active in the emulator.
    func listing() async throws(Problem) -> Listing {
        let body = try await send("GET", "faults")
        do {
            return try JSONDecoder().decode(Listing.self, from: Data(body))
        } catch {
            // Whatever answers there is no emulator of this program.
            throw Problem(text: Localizer.ofProcess(.faultUnreachable))
        }
    }

    /// Returns the names of the menu's active entries, in the order of their beginning.
    func active(of menu: [TestFault], in listing: Listing) -> [String] {
        var names: [String] = []
        for entry in listing.faults {
            guard let fault = entry.fault, let known = menu.first(where: { $0.emulated == fault }) else { continue }
            if !names.contains(known.id) { names.append(known.id) }
        }
        let isFrozen = !Set(listing.frozen ?? []).isDisjoint(with: vehicles.map(\.controlName))
        return names + menu.filter { isFrozen && $0.isFreeze }.map(\.id)
    }

    /// Returns whether an entry of the menu is completely on or off.
    func `is`(_ entry: TestFault, _ isOn: Bool, in listing: Listing) -> Bool {
        if let fault = entry.emulated { return listing.faults.contains { $0.fault == fault } == isOn }
        let frozen = Set(listing.frozen ?? [])
        return !entry.isFreeze || vehicles.allSatisfy { frozen.contains($0.controlName) == isOn }
    }

    /// Switches an entry of the menu on or off, given what is active.
    func set(_ entry: TestFault, _ isOn: Bool, in listing: Listing) async throws(Problem) {
        if let fault = entry.emulated {
            let present = listing.faults.filter { $0.fault == fault }
            if isOn, present.isEmpty { try await add(fault) }
            // One that has ended meanwhile is as good as removed.
            if !isOn { for old in present { try await send("DELETE", "faults/\(old.id)", accepts: [200, 404]) } }
        } else if entry.isFreeze {
            let frozen = Set(listing.frozen ?? [])
            for vehicle in vehicles where frozen.contains(vehicle.controlName) != isOn {
                try await send("POST", vehicle.controlName + (isOn ? ":freeze" : ":release"))
            }
        }
    }

    private func add(_ fault: Fault) async throws(Problem) {
        // The faults of the menu can be encoded, as tests show.
        try await send("POST", "faults", (try? JSONEncoder().encode(fault)).map(Array.init) ?? [])
    }

    @discardableResult
    private func send(
        _ method: String,
        _ path: String,
        _ body: [UInt8] = [],
        accepts: Set<Int> = [200]
    ) async throws(Problem) -> [UInt8] {
        let request = HTTPTransportRequest(
            method: method,
            url: "\(controlURL)/\(path)",
            headers: [("Content-Type", "application/json")],
            body: body,
            timeout: .seconds(5)
        )
        let response: HTTPTransportResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw Problem(text: Localizer.ofProcess(.faultUnreachable))
        }
        guard accepts.contains(response.status) else {
            throw Problem(text: Localizer.ofProcess(.faultRefused(status: "\(response.status)")))
        }
        return response.body
    }
}

extension TestFault {
    /// The fault in an emulator; `nil` for what is injected in this program's own requests and for stopped vehicles.
    var emulated: Fault? { if case .fault(let fault) = effect { fault } else { nil } }

    /// Whether it stops the vehicles.
    var isFreeze: Bool { if case .freeze = effect { true } else { false } }
}
