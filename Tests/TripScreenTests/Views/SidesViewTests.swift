import Canvas
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("View of the sides", .ends(within: .quickTest))
struct SidesViewTests {
    /// A ride whose rider got an old answer and was refused then.
    private static let lines = [
        entry(
            "UpdateTrip",
            10,
            #"{"tripId":"a"}"#,
            answer(#""status":"TRIP_STATUS_ENROUTE_TO_PICKUP","vehicleId":"v""#)
        ),
        entry(
            "UpdateVehicle",
            20,
            #"{"vehicleId":"v","vehicle":{\#(location(20))}}"#,
            #""response":{"currentTrips":["a"],\#(location(20))}"#
        ),
        entry("GetTrip", 25, #"{"tripId":"a"}"#, answer(#""status":"TRIP_STATUS_NEW",\#(location(11))"#)),
        entry("GetTrip", 30, #"{"tripId":"a"}"#, #""errorResponse":{"code":"PERMISSION_DENIED","httpStatusCode":403}"#),
    ]

    private static func answer(_ fields: String) -> String { #""response":{"name":"providers/p/trips/a",\#(fields)}"# }

    private static func location(_ second: Int) -> String {
        #""lastLocation":{"location":{"latitude":1,"longitude":2},"serverTime":"2026-01-01T00:00:\#(second)Z"}"#
    }

    private static func entry(_ call: String, _ second: Int, _ request: String, _ answer: String) -> String {
        let payload = #"{"@type":"x.\#(call)Log","request":\#(request),\#(answer)}"#
        return #"{"insertId":"\#(second)","logName":"projects/p/logs/x","jsonPayload":\#(payload),"#
            + #""timestamp":"2026-01-01T00:00:\#(second)Z"}"#
    }

    private static func state(_ width: Int, _ height: Int, entries: Int = 4, localizer: Localizer = .english) -> State {
        let time = Date(timeIntervalSince1970: 1_767_225_640)
        var state = State(
            trips: [],
            settings: State.Settings(host: "host", localizer: localizer),
            now: Moment(wall: time, steady: .zero),
            width: width,
            height: height
        )
        state.offerSides()
        var log = LiveLog(trips: [])
        let bytes = Array(lines.prefix(entries).joined(separator: "\n").utf8)
        for item in log.handle(bytes, now: { _ in Moment(wall: time, steady: .seconds(40)) }) {
            guard case .step(let step) = item else { continue }
            _ = state.update(.logged(step))
            for event in step.events { _ = state.update(.feed(event)) }
        }
        _ = state.update(.tick(Moment(wall: time, steady: .seconds(40))))
        return state
    }

    @Test func `shows the three sides in columns with ages, differences and the cause of an error`() {
        let text = view(Self.state(120, 40)).text
        for words in [
            "Driver", "Server", "Rider", "UpdateVehicle", "UpdateTrip", "GetTrip", "00:00:20, 20 s old",
            "ENROUTE_TO_PICKUP", "1.00000, 2.00000",
            "Rider: GetTrip was rejected with 403 PERMISSION_DENIED (10 s old)",
            "The rider got NEW although the trip is ENROUTE_TO_PICKUP.",
            "The rider got a position 9 s older than the driver's last report.",
        ] { #expect(text.contains(words), "\(words)\n\(text)") }
    }

    @Test(arguments: [(120, 40), (80, 24)])
    func `is drawn as expected`(_ width: Int, _ height: Int) throws {
        try ScreenFile(name: "sides-\(width)x\(height)").expect(view(Self.state(width, height)))
    }

    @Test func `says what is missing before the first entry and without a rider`() {
        #expect(view(Self.state(80, 24, entries: 0)).text.contains("Waiting for entries of the log"))
        let text = view(Self.state(80, 24, entries: 2)).text
        #expect(text.contains("no GetTrip yet") && text.contains("The log has no GetTrip"), "\(text)")
    }

    @Test func `shows sentences where there is no room for columns`() {
        let text = view(Self.state(50, 20)).text
        #expect(text.contains("Driver: UpdateVehicle") && text.contains("Rider: GetTrip"), "\(text)")
    }

    @Test(arguments: Language.allCases)
    func `has its tab and its columns in every language at 80x24`(_ language: Language) {
        let localizer = Localizer(language)
        let text = view(Self.state(80, 24, localizer: localizer)).text
        for words in [
            "8 \(localizer(.viewSides))", localizer(.sideDriver), localizer(.sideServer), localizer(.sideRider), "403",
        ] {
            #expect(text.contains(words), "\(words)\n\(text)")
        }
    }

    @Test func `each sentence has the calls that have shown its values`() throws {
        var state = Self.state(120, 60)
        _ = state.update(.key(.enter))
        let shown = view(state).text.split(separator: "\n").map(String.init)
        // The view stays visible around the panel.
        let lines = Array(shown[try #require(shown.firstIndex { $0.contains("Evidence for a") })...])
        // The status since second 10 and the old position are of the entries 10 and 20, the rider's answer of entry 25.
        for (sentence, calls) in [
            ("Driver: UpdateVehicle", ["UpdateVehicle, 00:00:20, insertId 20"]),
            ("Server: UpdateTrip", ["UpdateTrip, 00:00:10, insertId 10", "UpdateVehicle, 00:00:20, insertId 20"]),
            ("Rider: GetTrip, NEW", ["GetTrip, 00:00:25, insertId 25"]),
            ("Rider: GetTrip was rejected", ["GetTrip, 00:00:30, insertId 30"]),
            ("The rider got NEW", ["UpdateTrip, 00:00:10, insertId 10", "GetTrip, 00:00:25, insertId 25"]),
            ("The rider got a position", ["UpdateVehicle, 00:00:20, insertId 20", "GetTrip, 00:00:25, insertId 25"]),
        ] {
            let place = try #require(lines.firstIndex { $0.contains(sentence) }, "\(sentence)\n\(lines)")
            for (offset, call) in calls.enumerated() {
                #expect(lines[place + 1 + offset].contains("  \(call) "), "\(sentence): \(lines[place + 1 + offset])")
            }
            #expect(!lines[place + 1 + calls.count].contains("insertId"), "\(sentence)")
        }
    }

    @Test(arguments: [(2, "The log has no GetTrip"), (0, "Waiting for entries")])
    func `a log without the rider's calls has evidence, too`(entries: Int, sentence: String) {
        var state = Self.state(120, 60, entries: entries)
        _ = state.update(.key(.character("y")))
        let shown = view(state).text
        #expect(shown.contains(sentence) && shown.contains("insertId 20") == (entries == 2), "\(shown)")
    }

    @Test func `a line of the event log leads to the calls of the log`() throws {
        var state = Self.state(120, 60)
        for key in "7y" { _ = state.update(.key(.character(key))) }
        let shown = view(state).text.split(separator: "\n").map(String.init)
        // The log stays visible around the panel.
        let lines = Array(shown[try #require(shown.firstIndex { $0.contains("Evidence for a") })...])
        let refused = try #require(lines.firstIndex { $0.contains("GetTrip was rejected") }, "\(lines)")
        #expect(lines[refused + 1].contains("GetTrip, 00:00:30, insertId 30"))
        let differs = try #require(lines.firstIndex { $0.contains("The rider got NEW") }, "\(lines)")
        #expect(lines[differs + 1].contains("insertId 10") && lines[differs + 2].contains("insertId 25"))
    }

    @Test func `the ID of an entry is cut and has no control characters`() {
        let call = SideCall(
            method: "GetTrip",
            time: Date(timeIntervalSince1970: 0),
            insertID: "\u{1B}[2J" + String(repeating: "x", count: 500)
        )
        let statement = Statement(.sides, "", "", [], [.init(call)])
        let row = statement.rows(.utc, .english)[1].text.value
        #expect(row.count < 100 && !row.unicodeScalars.contains("\u{1B}"), "\(row)")
    }

    @Test func `exists only in the session of a log`() throws {
        var state = try Ride().screen(at: 30)
        _ = state.update(.key(.character("8")))
        #expect(state.view == .trip)
        #expect(!view(state).text.contains("8 Sides"))
        var log = Self.state(80, 24)
        _ = log.update(.key(.tab))
        #expect(log.view == .trip)
        for (key, kind) in [("3", ViewKind.trip), ("2", .trips), ("8", .sides)] {
            _ = log.update(.key(.character(Character(key))))
            #expect(log.view == kind)
        }
        #expect(view(log).text.contains("quit") && !view(log).text.contains("poll now"))
    }
}
