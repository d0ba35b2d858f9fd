import FleetWire
import Testing
import TripTestSupport

/// The filter of `calls`, `emulate` and the Network view.
@Suite("Filter of calls", .ends(within: .quickTest))
struct CallFilterTests {
    /// The parts of a refused GetTrip of a rider.
    private static let refused: [CallFilter.Part: [String]] = [
        .from: ["rider"], .to: ["service"], .operation: ["GetTrip"], .id: ["trip-1", "car-7"],
        .path: ["GET /v1/providers/p/trips/trip-1"], .status: ["403", "4xx", "PERMISSION_DENIED", "error"],
        .token: ["jwt", "1a2b3c4d"], .fault: ["latency"], .reason: ["The token's tripid is not the requested trip"],
    ]

    @Test(arguments: [
        ("", true), ("  ", true), ("trip-1", true), ("TRIP-1 gettrip", true), ("trip-2", false),
        ("status:4xx", true), ("status:403 from:rider", true), ("status:403 from:driver", false),
        ("permission_denied", true), ("status:ok", false), ("status:error", true), ("op:GetTrip", true),
        ("op:trip-1", false), ("id:trip-1", true), ("id:car", true), ("path:/trips/", true), ("token:1a2b", true),
        ("!GetTrip", false), ("!SearchTrips", true), ("!from:driver", true), ("!from:rider", false),
        ("!status:4xx trip-1", false), ("fault:latency", true), ("reason:tripid", true), ("to:service", true),
        // Neither names a part.
        ("trips:search", false), ("tripid is", true), ("!", true), ("status:", true), ("!status:", true),
    ])
    func `all words must occur, in the named part or in any`(text: String, isShown: Bool) {
        #expect(CallFilter(text).matches { Self.refused[$0] ?? [] } == isShown, "\(text)")
    }

    @Test func `a word with a colon that names no part is a text`() {
        let search: [CallFilter.Part: [String]] = [.path: ["POST /v1/providers/p/trips:search"]]
        #expect(CallFilter("trips:search").matches { search[$0] ?? [] })
        #expect(CallFilter("path:trips:search").matches { search[$0] ?? [] })
    }

    @Test func `only an empty filter shows all calls`() {
        #expect(CallFilter("").isEmpty && CallFilter.none.isEmpty && CallFilter(" ! status: ").isEmpty)
        #expect(!CallFilter("GetTrip").isEmpty)
    }
}
