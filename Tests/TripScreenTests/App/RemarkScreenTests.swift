import Canvas
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

/// Notes, marks and the receipt on the screen.
@Suite("Notes and receipts on the screen", .ends(within: .quickTest))
struct RemarkScreenTests {
    private static func type(_ text: String, _ state: inout State) -> [Effect] {
        for character in text { #expect(state.update(.key(.character(character))) == []) }
        return state.update(.key(.enter))
    }

    @Test func `a note has the time and the screen of the key, not of the end of the input`() throws {
        var state = try Ride().screen(at: 65)
        let before = view(state).text
        let time = state.now.wall
        _ = state.update(.key(.character("m")))
        #expect(view(state).text.contains("Note (empty: a mark):"))
        _ = state.update(.tick(Ride.moment(80)))
        let effects = Self.type("the map is wrong", &state)
        guard case .remark(let remark)? = effects.first else {
            Issue.record("no note: \(effects)")
            return
        }
        #expect(effects.count == 1 && remark.content == .note("the map is wrong"))
        #expect(remark.time == time && remark.status == .trip(.arrivedAtPickup))
        #expect(try remark.journey == Ride().id())
        #expect(remark.screen.joined(separator: "\n") == before)
        _ = state.update(.key(.character("7")))
        #expect(view(state).text.contains("Note: the map is wrong"))
    }

    @Test func `an empty input is a mark, and Escape is nothing`() throws {
        var state = try Ride().screen(at: 65)
        _ = state.update(.key(.character("m")))
        guard case .remark(let remark)? = state.update(.key(.enter)).first else {
            Issue.record("no mark")
            return
        }
        #expect(remark.content == .mark)
        _ = state.update(.key(.character("m")))
        #expect(state.update(.key(.escape)) == [])
        #expect(state.prompt == nil)
        #expect(state.log.entries.count { $0.text == "Mark" } == 1)
    }

    @Test func `a replay shows notes, captions and faults again`() throws {
        var state = try Ride().screen(at: 65, width: 120, height: 40)
        state.offer([], names: [FaultChoice(id: "latency", title: .faultLatency)])
        let time = state.now.wall
        let contents: [SessionRemark.Content] = [
            .note("here"), .fault("latency", isActive: true), .fault("new", isActive: true),
        ]
        for content in contents {
            #expect(state.update(.remark(SessionRemark(content, at: time))) == [])
        }
        #expect(state.activeFaults == ["latency", "new"])
        let text = view(state).text
        #expect(text.contains("Faults in the recording: answers take 3 s longer, new"))
        _ = state.update(.remark(SessionRemark(.fault("latency", isActive: false), at: time)))
        _ = state.update(.remark(SessionRemark(.caption("A taxi", while: ""), at: time)))
        #expect(state.activeFaults == ["new"] && state.caption == "A taxi")
        #expect(
            state.log.entries.suffix(4).map(\.text) == [
                "Note: here", "Fault on: answers take 3 s longer", "Fault on: new",
                "Fault off: answers take 3 s longer",
            ]
        )
    }

    @Test func `faults switched by key are in the log`() throws {
        var state = try Ride().screen(at: 65)
        state.offer([FaultChoice(id: "401", title: .fault401)])
        _ = state.update(.faults(["401"]))
        _ = state.update(.faults(["401"]))
        _ = state.update(.faults([]))
        #expect(
            state.log.entries.suffix(2).map(\.text) == [
                "Fault on: polls get 401 UNAUTHENTICATED", "Fault off: polls get 401 UNAUTHENTICATED",
            ]
        )
    }

    @Test func `the receipt is offered at the end of the trip, and any key goes on`() throws {
        var state = try Ride().screen(at: 65)
        #expect(!view(state).text.contains("R receipt"))
        state = try Ride().screen(at: 180)
        #expect(state.overlay == nil && view(state).text.contains("R receipt"))
        _ = state.update(.key(.character("R")))
        #expect(state.overlay == .details(.receipt, row: 0))
        let text = view(state).text
        #expect(text.contains("Receipt of trip-7f3a") && text.contains("Trip complete"))
        #expect(text.contains("Wait for the vehicle"))
        _ = state.update(.key(.character("7")))
        #expect(state.overlay == nil && state.view == .log)
        _ = state.update(.key(.character("R")))
        #expect(state.overlay == .details(.receipt, row: 0))
        _ = state.update(.key(.character("R")))
        #expect(state.overlay == nil)
        _ = state.update(.key(.character("R")))
        _ = state.update(.key(.escape))
        #expect(state.overlay == nil && state.view == .log)
    }

    @Test(
        arguments: [
            (Language.english, "by 12:05:00 at the latest"), (.german, "spätestens 12:05:00"),
            (.korean, "늦어도 12:05:00"),
            (.simplifiedChinese, "最迟 12:05:00"), (.traditionalChinese, "最遲 12:05:00"),
        ]
    )
    func `an arrival that an outage hid has its latest possible time, and no difference`(
        _ language: Language,
        words: String
    ) throws {
        let start = Date(timeIntervalSince1970: 1_767_268_800)
        let id = try TripID("t")
        var (table, state, receipt) = (JourneyTable(), TripState(id: .trip(id)), TripReceipt(.trip(id)))
        // Promised for minute 4; no answer from minute 1 to minute 5.
        for (second, status) in [
            (0.0, TripStatus.new), (15, .enrouteToPickup), (60, .enrouteToPickup), (300, .arrivedAtPickup),
        ] {
            var trip = Trip(id: id, provider: try ProviderID("p"), status: status)
            if second > 0 { trip.pickupTime = start + 240 }
            let now = Moment(wall: start + second, steady: .seconds(second))
            state.merge(.trip(trip), serverDate: nil, at: now)
            var report = PollReport(journey: .trip(id), started: now)
            report.outcome = .success(.trip(trip))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: now)
            receipt.handle(changes, try #require(table[.trip(id)]))
        }
        let rows = Localizer(language).rows(of: receipt, in: .utc).map(\.value)
        #expect(rows.contains { $0.contains("12:04:00") && $0.hasSuffix(words) }, "\(rows)")
    }

    @Test func `the stops of a trip that was complete before the first answer are not called not reached`() throws {
        let trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .complete)
        let id = JourneyID.trip(trip.id)
        var screen = State(
            trips: [id],
            settings: State.Settings(host: "h", zone: .utc, localizer: .english, glyphs: GlyphSet(), speed: 1),
            now: Ride.moment(0),
            width: 120,
            height: 40
        )
        var state = TripState(id: id)
        state.merge(.trip(trip), serverDate: nil, at: Ride.moment(0))
        var report = PollReport(journey: id, started: Ride.moment(0))
        report.outcome = .success(.trip(trip))
        _ = screen.update(.feed(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))))
        _ = screen.update(.feed(.ended(id, .reached(.trip(.complete)))))
        let text = view(screen).text
        #expect(text.contains("Drop-off") && !text.contains("not reached"), "\(text)")
    }

    @Test func `a difference is that of the times beside it, and what is unknown has no row`() throws {
        let start = Date(timeIntervalSince1970: 1_773_476_000)
        let id = try TripID("t")
        var (table, state, receipt) = (JourneyTable(), TripState(id: .trip(id)), TripReceipt(.trip(id)))
        func rows() -> [String] {
            Localizer(.english).rows(of: receipt, in: .utc).map { "\($0.label): \($0.value)" }
        }
        let empty = rows()
        // Promised for second 44.9, there in second 58.1: 13.2 s later, but 14 s between the shown times.
        let polls = [
            (0.0, TripStatus.new), (1, .enrouteToPickup), (30, .enrouteToPickup), (55, .enrouteToPickup),
            (58.1, .arrivedAtPickup),
        ]
        for (second, status) in polls {
            var trip = Trip(id: id, provider: try ProviderID("p"), status: status)
            if second > 0 { trip.pickupTime = start + 44.9 }
            let now = Moment(wall: start + second, steady: .seconds(second))
            state.merge(.trip(trip), serverDate: nil, at: now)
            var report = PollReport(journey: .trip(id), started: now)
            report.outcome = .success(.trip(trip))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: now)
            receipt.handle(changes, try #require(table[.trip(id)]))
        }
        let clock = { Zone.utc.clock(start + $0) }
        let rows = rows()
        #expect(rows.contains { $0.hasSuffix("first \(clock(44)), actual \(clock(58)) (+0:14)") }, "\(rows)")
        #expect(!(empty + rows).contains { $0.contains("not known") }, "\(empty) \(rows)")
    }

    @Test(arguments: [(Language.english, "off route ×2"), (.german, "abseits der Route ×2")])
    func `a receipt names findings by their titles, not by their codes`(_ language: Language, words: String) throws {
        let id = JourneyID.trip(try TripID("t"))
        var (table, receipt) = (JourneyTable(), TripReceipt(id))
        let findings = (["offRoute", "offRoute", "clocksDiffer"] as [FindingRule]).map {
            Finding(time: Ride.moment(1).wall, journey: id, rule: $0, severity: .warning, evidence: [])
        }
        let changes = table.apply(.found(id, findings), at: Ride.moment(1))
        receipt.handle(changes, try #require(table[id]))
        let row = try #require(Localizer(language).rows(of: receipt, in: .utc).last)
        #expect(row.value.contains(words) && !row.value.contains("offRoute") && !row.value.contains("clocksDiffer"))
    }

    @Test func `the receipt can be opened during the trip`() throws {
        var state = try Ride().screen(at: 65)
        #expect(state.overlay == nil)
        _ = state.update(.key(.character("R")))
        #expect(state.overlay == .details(.receipt, row: 0))
        #expect(!view(state).text.contains("not known"))
    }

    @Test(arguments: [(0, 0), (30, 6), (45, 12), (60, 16), (80, 24), (120, 40), (200, 60)])
    func `the receipt scrolls to its last row at every size`(_ size: (Int, Int)) throws {
        for language in Language.allCases {
            let localizer = Localizer(language)
            var state = try Ride().screen(at: 180, width: size.0, height: size.1, localizer: localizer)
            _ = state.update(.key(.character("R")))
            #expect(state.overlay == .details(.receipt, row: 0))
            #expect(view(state).width == size.0)
            _ = state.update(.key(.end))
            guard size.1 > 10 else { continue }
            #expect(view(state).text.contains(localizer(.viewFindings)), "\(language) at \(size)")
        }
    }

    @Test func `a bug report is an effect of its key and its command`() throws {
        var state = try Ride().screen(at: 65)
        #expect(state.update(.key(.character("B"))).isEmpty && view(state).text.contains("Save a bug report"))
        #expect(state.update(.key(.character("y"))) == [.saveBugReport])
        _ = state.update(.key(.character(":")))
        #expect(Self.type("bug-report", &state) == [.saveBugReport])
        _ = state.update(.key(.character(":")))
        #expect(Self.type("receipt", &state) == [] && state.overlay == .details(.receipt, row: 0))
    }
}
