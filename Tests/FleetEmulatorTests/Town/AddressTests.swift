import FleetEmulator
import Foundation
import Testing
import TripModel
import TripTestSupport

/// The houses of the demo town.
@Suite("Addresses", .ends(within: .quickTest))
struct AddressTests {
    @Test func `there are enough different doors, and each is on a street that a vehicle reaches`() throws {
        let addresses = Town.demo.addresses
        #expect(addresses.count > 1000 && Set(addresses).count == addresses.count)
        let station = try #require(Town.demo.stop(at: "Station"))
        for address in stride(from: 0, to: addresses.count, by: addresses.count / 60).map({ addresses[$0] }) {
            let door = try #require(Town.demo.stop(at: address), "\(address)")
            let street = try #require(Town.demo.streets.nearest(to: door))
            #expect(street.distance(to: door).meters < 1, "\(address)")
            #expect(Town.demo.streets.path(from: station, to: door) != nil, "\(address)")
        }
    }

    @Test func `the numbers of a street follow each other`() throws {
        let (one, two) = (
            try #require(Town.demo.stop(at: "Forge Close 1")), try #require(Town.demo.stop(at: "Forge Close 2"))
        )
        #expect((5...16).contains(one.distance(to: two).meters))
        #expect(Town.demo.stop(at: "forge close 1") == one)
    }

    @Test(arguments: ["Forge Close", "Forge Close 0", "Forge Close -1", "Forge Close 9000", "Nowhere 1", "1", ""])
    func `an address without such a house is none`(address: String) {
        #expect(Town.demo.stop(at: address) == nil)
    }
}
