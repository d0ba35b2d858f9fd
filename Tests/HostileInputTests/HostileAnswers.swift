import Failures
import Foundation
import Runtime
import TripModel

/// Generates answers that no service should give.
///
/// The same seed gives the same answers.
struct HostileAnswers {
    var random: SeededGenerator
    let trip: TripID

    init(seed: UInt64, trip: TripID) {
        random = SeededGenerator(seed: seed)
        self.trip = trip
    }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

    // MARK: Answers

    /// An answer to GetTrip.
    ///
    /// `secret` is the token of the request, for answers that repeat it.
    mutating func answer(secret: String, at now: Date) -> HTTPTransportResponse {
        var response = HTTPTransportResponse(status: 200, headers: [("content-type", "application/json")])
        switch roll(100) {
        case 0..<68: response.body = body(secret: secret, at: now)
        case 68..<74: response.body = mangled(body(secret: secret, at: now))
        case 74..<86:
            response.status = pick([400, 401, 403, 404, 408, 409, 418, 429, 499, 500, 502, 503, 504, 599])
            response.body = Array(error(secret: secret).spelling.utf8)
        case 86..<90:
            response.headers = [("content-type", pick(["text/html", "TEXT/HTML; charset=x", "application/json"]))]
            response.status = pick([200, 200, 302, 403, 502])
            response.body = Array(page.utf8)
        case 90..<93: response.body = Array((pick(["Bearer ", "", "{\"error\":\""]) + secret).utf8)
        case 93..<96:
            response.body = Array(pick(["", " ", "null", "[]", "{}", "0", "\"\"", "\u{FEFF}{}", "{}{}"]).utf8)
        case 96: response.body = Array(repeating: UInt8(ascii: pick(["[", "{", "\"", "0"])), count: 1 << roll(18))
        case 97: response.body = (0..<roll(5000)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 98: response.status = pick([100, 199, 204, 205, 206, 299, 300, 304, 399])
        default: response.body = flood()
        }
        if roll(4) == 0 { response.headers.append(("date", date(near: now))) }
        if roll(8) == 0 {
            response.headers.append(("retry-after", pick(["-1", "0", "1e9", "99999999999999999999", "x", "", "1.5"])))
        }
        return response
    }

    /// A trip with one or several errors.
    private mutating func body(secret: String, at now: Date) -> [UInt8] {
        var node = honest(at: now)
        for _ in 0..<pick([0, 1, 1, 1, 2, 3, 8]) {
            let value = wrong(secret: secret)
            let kind = roll(10)
            node = node.changing(1 + roll(max(1, node.count - 1))) { old in
                switch kind {
                case 0: .list([old, value, old])
                case 1: .object([("value", old), ("value", value)])
                case 2: Self.nested(old, 2 + value.count % 90)
                case 3: Self.withKeys(of: old, twice: value)
                case 4: Self.longer(old)
                default: value
                }
            }
        }
        return Array(node.spelling.utf8)
    }

    private static func nested(_ node: JSONNode, _ depth: Int) -> JSONNode {
        (0..<depth).reduce(node) { inner, level in level.isMultiple(of: 2) ? .list([inner]) : .object([("x", inner)]) }
    }

    private static func withKeys(of node: JSONNode, twice value: JSONNode) -> JSONNode {
        guard case .object(let members) = node else { return value }
        return .object(members + members.map { ($0.key, value) })
    }

    private static func longer(_ node: JSONNode) -> JSONNode {
        guard case .list(let items) = node, let first = items.first else {
            return .list(Array(repeating: node, count: 60))
        }
        return .list(Array(repeating: first, count: 600))
    }

    /// Randomly damages bytes.
    private mutating func mangled(_ body: [UInt8]) -> [UInt8] {
        var bytes = body
        for _ in 0...roll(6) where !bytes.isEmpty {
            let place = roll(bytes.count)
            switch roll(5) {
            case 0: bytes = Array(bytes.prefix(place))
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2:
                bytes.insert(contentsOf: pick([[0], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x22], [0x5C]]), at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + roll(40)))
            default: bytes += bytes.suffix(place)
            }
        }
        return bytes
    }

    /// A list that is far too long.
    private mutating func flood() -> [UInt8] {
        let (key, item) = pick([
            ("remainingWaypoints", #"{"tripId":"x","waypointType":"PICKUP_WAYPOINT_TYPE"}"#), ("route", "{}"),
            ("intermediateDestinations", #"{"point":{}}"#), ("attributes", #"{"key":"k","value":"v"}"#),
            ("vehicleWaypoints", #"{"pathToWaypoint":[{},{},{}]}"#), ("mystery", "[[]]"),
            ("actualIntermediateDestinations", #"{"point":{"latitude":1}}"#),
        ])
        let list = Array(repeating: item, count: 1 << (4 + roll(10))).joined(separator: ",")
        return Array(
            #"{"name":"providers/p/trips/\#(trip)","tripStatus":"ENROUTE_TO_PICKUP","\#(key)":[\#(list)]}"#.utf8
        )
    }

    private var page: String {
        mutating get {
            let title = pick(["", "502 Bad Gateway", "\u{1B}[31mred", String(repeating: "漢", count: 3000), "</title>"])
            return pick(["<!DOCTYPE html>", "<html>", "  \n<HTML>", "<"]) + "<title>\(title)</title><body>\(title)"
        }
    }

    private mutating func date(near now: Date) -> String {
        pick([
            "", "yesterday", "Sun, 06 Nov 1994 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
            "Thu, 01 Jan 1970 00:00:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    }

    private mutating func error(secret: String) -> JSONNode {
        var node = JSONNode.object([
            (
                "error",
                .object([
                    ("code", .leaf("503")), ("status", .text(pick(["UNAVAILABLE", "PERMISSION_DENIED", "X"]))),
                    ("message", .text(pick(["down", secret, "Bearer \(secret)"]))),
                    (
                        "details",
                        .list([
                            .object([
                                ("@type", .text("type.googleapis.com/google.rpc.RetryInfo")),
                                ("retryDelay", .text("3s")),
                            ]),
                            .object([("metadata", .object([("permission", .text("fleetengine.trips.get"))]))]),
                        ])
                    ),
                ])
            )
        ])
        for _ in 0..<roll(4) {
            let value = wrong(secret: secret)
            node = node.changing(roll(node.count)) { _ in value }
        }
        return node
    }

    // MARK: Parts

    /// A trip as the service would send it, with a random status and position.
    private mutating func honest(at now: Date) -> JSONNode {
        func time(_ seconds: Double) -> JSONNode {
            .text(now.addingTimeInterval(seconds).formatted(.iso8601))
        }
        func place(_ step: Double) -> JSONNode {
            .object([("latitude", .leaf("\(52.5 + step)")), ("longitude", .leaf("\(13.4 - step)"))])
        }
        let own = JSONNode.text(trip.rawValue)
        let step = Double(roll(1000)) / 100_000
        let path = JSONNode.list((0..<8).map { place(step + Double($0) / 1000) })
        let traffic = JSONNode.object([
            (
                "speedReadingInterval",
                .list([
                    .object([("endPolylinePointIndex", .leaf("3")), ("speed", .text("SLOW"))]),
                    .object([
                        ("startPolylinePointIndex", .leaf("3")), ("endPolylinePointIndex", .leaf("7")),
                        ("speed", .text("TRAFFIC_JAM")),
                    ]),
                ])
            )
        ])
        func waypoint(_ kind: String, _ owner: JSONNode) -> JSONNode {
            .object([
                ("location", .object([("point", place(step + 0.02))])), ("tripId", owner),
                ("waypointType", .text(kind)),
                ("pathToWaypoint", path), ("distanceMeters", .leaf("427")), ("eta", time(400)),
                ("duration", .text("110s")),
                ("trafficToWaypoint", traffic),
            ])
        }
        let statuses = [
            "NEW", "ENROUTE_TO_PICKUP", "ENROUTE_TO_PICKUP", "ARRIVED_AT_PICKUP", "ENROUTE_TO_DROPOFF",
            "ARRIVED_AT_INTERMEDIATE_DESTINATION", "ENROUTE_TO_INTERMEDIATE_DESTINATION",
        ]
        return .object([
            ("name", .text("providers/p/trips/\(trip.rawValue)")), ("vehicleId", .text("v")),
            ("tripStatus", .text(roll(40) == 0 ? "COMPLETE" : pick(statuses))), ("tripType", .text("SHARED")),
            ("numberOfPassengers", .leaf("2")), ("pickupPoint", .object([("point", place(0.02))])),
            ("dropoffPoint", .object([("point", place(0.04))])),
            ("intermediateDestinations", .list([.object([("point", place(0.03))])])),
            ("intermediateDestinationIndex", .leaf("0")), ("pickupTime", time(300)), ("dropoffTime", time(900)),
            ("actualPickupPoint", .object([("point", place(0.02)), ("timestamp", time(-20))])),
            ("attributes", .list([.object([("key", .text("k")), ("value", .text("v"))])])),
            ("etaToFirstWaypoint", time(300)), ("remainingTimeToFirstWaypoint", .text("300.5s")),
            ("remainingDistanceMeters", .leaf("4180")),
            (
                "remainingWaypoints",
                .list([waypoint("PICKUP_WAYPOINT_TYPE", own), waypoint("DROP_OFF_WAYPOINT_TYPE", own)])
            ),
            ("remainingWaypointsVersion", time(-5)), ("remainingWaypointsRouteVersion", time(-5)),
            ("route", path), ("currentRouteSegmentVersion", time(-5)), ("currentRouteSegmentTraffic", traffic),
            ("currentRouteSegmentTrafficVersion", time(-4)),
            ("currentRouteSegmentEndPoint", waypoint("PICKUP_WAYPOINT_TYPE", own)),
            ("lastLocationSnappable", .leaf("true")), ("view", .text(pick(["SDK", "JOURNEY_SHARING_V1S"]))),
            (
                "lastLocation",
                .object([
                    ("location", place(step)), ("heading", .leaf("90")), ("speed", .leaf("8.5")),
                    ("latlngAccuracy", .leaf("12")), ("updateTime", time(-2)), ("serverTime", time(-1)),
                    ("locationSensor", .text("GPS")), ("rawLocation", place(step)), ("isRoadSnapped", .leaf("true")),
                ])
            ),
        ])
    }

    /// A value that is wrong in its place.
    mutating func wrong(secret: String) -> JSONNode {
        switch roll(8) {
        case 0, 1: .leaf(pick(Self.numbers))
        case 2: .text(pick(Self.times))
        case 3: .text(pick(Self.texts))
        case 4: .text(pick(Self.paths))
        case 5: .leaf(pick(["null", "true", "false", "[]", "{}", "[null]", "[[],{}]", "\"\"", "nul", "'x'", ",", ""]))
        case 6: .text(String(repeating: pick(Self.texts), count: 1 << roll(9)))
        default: .text(pick([secret, "Bearer \(secret)", "/\(secret)?\(secret)"]))
        }
    }

    static let numbers = [
        "0", "-0", "-1", "0.1", "1e999", "-1e999", "1e308", "-1e-400", "9223372036854775807", "9223372036854775808",
        "-9223372036854775809", "18446744073709551616", "2147483647", "2147483648", "-2147483648", "NaN", "\"NaN\"",
        "\"Infinity\"", "\"-Infinity\"", "Infinity", "00", "1.", ".5", "0x10", "1e", "90.0000001", "-180.1", "359",
        "360",
        "\"12\"", "1" + String(repeating: "0", count: 400), "0." + String(repeating: "3", count: 4000),
    ]

    static let times = [
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "0000-00-00T00:00:00Z", "2026-02-30T10:00:00Z",
        "2026-01-01T00:00:60Z", "2026-01-01T00:00:00+23:59", "2026-01-01", "1970-01-01T00:00:00.000000000000001Z",
        "2026-13-01T00:00:00Z", "-300s", "-315576000000s", "315576000000.999999999s", "999999999999s",
        "9999999999999999999s", "1e9s", "s", "-s", "0.1234567890s", "NaNs", "2026-01-01T00:00:00.5z",
    ]

    static let texts = [
        "", "\\ud800", "\\udc00\\ud800", "\\u0000", "\\u001b[31m", "\\u009b2J", "\\u202e", "\\u2066x\\u2069", "\\u200b",
        "\\ufeff", "\\ud83d\\ude95", "漢字", "👩‍👩‍👧‍👦", "e" + String(repeating: "\u{301}", count: 500), "ﷺ", "\\n\\r\\t", "\\x",
        "\u{7}", "\\u00ad", "providers/p/trips/t", "providers//trips/", "../..", "ENROUTE_TO_MARS", "SPEED_OF_LIGHT",
        "]]>", "<b>&amp;", "%s%n", "$(reboot)", "\\u2028", "\u{10FFFF}", "|", "'\\\"",
    ]

    static let paths = [
        "!", "AhYC", "AhYCECPlXZ6GAJABAA==", "AgAAAAAAAAAA", "AQAAAIA=", "Af////8=", "Ah7//////////w8=",
        "AhYCECPlXZ6GAJAB",
        "A" + String(repeating: "_", count: 400), "AhaAgICAgICAgICAAQ==", "_p~iF~ps|U_ulLnnqC_mqNvxq`@",
    ]
}

extension HostileAnswers {
    /// An answer of a token endpoint.
    ///
    /// `token` is the valid token that it could return.
    mutating func tokenAnswer(honest token: String) -> HTTPTransportResponse {
        var response = HTTPTransportResponse(status: 200, headers: [("content-type", "application/json")])
        func object(_ value: String) -> [UInt8] { Array(#"{"jwt":"\#(value)","creationTimestampMs":1}"#.utf8) }
        switch roll(100) {
        case 0..<84: response.body = object(token)
        case 84..<88:
            let parts = token.split(separator: ".").map(String.init)
            var changed = parts
            changed[roll(3)] = pick([
                "", "e30", "eyJhbGciOiJub25lIn0", "____", "=", String(repeating: "A", count: 9000), "e30=",
            ])
            response.body = object(changed.joined(separator: pick([".", "..", " ", ""])))
        case 88..<90: response.body = mangled(object(token))
        case 90..<92: response.status = pick([100, 204, 301, 400, 401, 403, 404, 410, 429, 500, 503])
        case 92: response.body = Array(page.utf8)
        case 93: response.body = Array(wrong(secret: token).spelling.utf8)
        case 94: response.body = Array(#"{"jwt":\#(wrong(secret: token).spelling)}"#.utf8)
        case 95: response.body = Array(repeating: UInt8(ascii: pick(["[", "{", "."])), count: 1 << roll(17))
        case 96: response.body = object(claims())
        case 97: response.headers.append(("age", pick(["-1", "99999999999999999999", "x", "86400"])))
        case 98: response.headers.append(("date", date(near: Date(timeIntervalSince1970: 0))))
        default: response.body = Array(token.utf8)
        }
        return response
    }

    /// A token with wrong claims.
    private mutating func claims() -> String {
        func encoded(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=",
                with: ""
            )
        }
        var node = JSONNode.object([
            ("iss", .text("a@b")), ("aud", .text("https://fleetengine.googleapis.com/")), ("iat", .leaf("1767225600")),
            ("exp", .leaf("1767229200")), ("authorization", .object([("tripid", .text(trip.rawValue))])),
        ])
        for _ in 0...roll(3) {
            let value = wrong(secret: "x")
            node = node.changing(roll(node.count)) { _ in value }
        }
        return [encoded(#"{"alg":"RS256","typ":"JWT"}"#), encoded(node.spelling), "c2lnbmF0dXJl"].joined(separator: ".")
    }
}
