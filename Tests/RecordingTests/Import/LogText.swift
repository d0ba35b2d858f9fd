import Recording

/// Small log entries as text, in the spelling of newer exports by default.
enum LogText {
    /// A successful call on a trip.
    static func trip(
        _ call: String = "UpdateTrip",
        _ id: String = "t1",
        second: Int,
        status: String,
        more: String = ""
    ) -> String {
        entry(
            call,
            second: second,
            request: #"{"tripid":"\#(id)"}"#,
            response: #"{"name":"providers/acme/trips/\#(id)","status":"TRIP_STATUS_\#(status)"\#(more)}"#
        )
    }

    /// A successful update of vehicle `v1`, which serves these trips.
    static func vehicle(second: Int, trips: [String], request: String = "", response: String = "") -> String {
        let list = trips.map { "\"\($0)\"" }.joined(separator: ",")
        return entry(
            "UpdateVehicle",
            second: second,
            request: #"{"vehicleid":"v1"\#(request)}"#,
            response: #"{"name":"providers/acme/vehicles/v1","currenttrips":[\#(list)]\#(response)}"#
        )
    }

    /// An entry of Cloud Logging.
    ///
    /// The second is within the first hour of 2026.
    static func entry(_ call: String, second: Int, request: String, response: String) -> String {
        let payload = #"{"@type":"x.v1.\#(call)Log","request":\#(request),"response":\#(response)}"#
        return #"{"insertid":"i\#(second)","timestamp":"\#(time(second))","jsonpayload":\#(payload)}"#
    }

    /// The time this many seconds into 2026; less than 3600.
    static func time(_ second: Int) -> String {
        let parts = [second / 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "2026-01-01T00:\(parts[0]):\(parts[1])Z"
    }

    /// Parses a list of entries.
    static func read(_ entries: [String]) throws(RecordingError) -> RecordedTrips {
        try read("[" + entries.joined(separator: ",\n") + "]")
    }

    /// Parses a text.
    static func read(_ text: String) throws(RecordingError) -> RecordedTrips {
        try RecordedTrips(bytes: Array(text.utf8))
    }

    /// `,"pickuppoint":…,"dropoffpoint":…` for a trip from 1°N 1°E to 2°N 2°E.
    static let ends = #","pickuppoint":{"point":\#(place(1))},"dropoffpoint":{"point":\#(place(2))}"#

    /// A location with the same number of degrees north and east.
    static func place(_ degrees: Double) -> String {
        #"{"latitude":\#(degrees),"longitude":\#(degrees)}"#
    }
}
