import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport
import TripText

/// What may be typed while `--accessible` writes sentences, and the answers.
@Suite("Spoken answers", .ends(within: .quickTest))
struct SpokenAnswerTests {
    private var trip: Trip
    private var token: TokenStatus?

    init() throws {
        trip = try Ride().trip(at: 35)
        trip.traffic = nil
    }

    /// Returns the answer some seconds after the poll that has shown the trip.
    private func answer(_ question: SpokenQuestion, after seconds: Double = 1) throws -> [String] {
        let (id, then) = (JourneyID.trip(trip.id), Ride.moment(35))
        var (table, state) = (JourneyTable(), TripState(id: id))
        var report = PollReport(journey: id, started: then)
        report.outcome = .success(.trip(trip))
        state.merge(.trip(trip), of: report)
        _ = table.apply(.polled(report, state, PollSchedule(interval: .seconds(5), next: nil)), at: then)
        if let token {
            _ = table.apply(TokenEvent(context: .journey(id), at: then, kind: .stored(generation: 2), status: token))
        }
        let facts = try #require(table[id])
        let plain = PlainLines(host: "engine.example", zone: .utc, namesTrips: false)
        return plain.answers(facts, street: "Quay Street", at: Ride.moment(35 + seconds)).answer(question)
    }

    @Test func `where says the way to the next stop, the street and the speed`() throws {
        let sentences = try answer(.position)
        #expect(sentences.count == 1)
        let form = /\d+ k?m before the pickup, heading \w+ on Quay Street, \d+ km\/h/
        #expect(try #require(sentences.first).contains(form), "\(sentences)")
    }

    @Test mutating func `where says no speed at the pickup, and the status first`() throws {
        trip.status = .arrivedAtPickup
        trip.lastLocation?.coordinate = Ride.pickup
        trip.lastLocation?.speed = 2.5
        let sentences = try answer(.position)
        #expect(sentences.first == "Driver is at the pickup")
        #expect(!sentences.contains { $0.contains("km/h") }, "\(sentences)")
    }

    @Test mutating func `where says that no position is shown`() throws {
        trip.lastLocation = nil
        #expect(try answer(.position).contains("The position of the vehicle is not shown"))
    }

    @Test func `when says the time of each arrival, and whether it is the first prediction`() throws {
        let sentences = try answer(.arrival)
        let form = /(Pickup|Drop-off): expected at 17:\d\d:\d\d, in [\d:]+, as first predicted/
        #expect(sentences.count == 2 && sentences.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(sentences)")
    }

    @Test func `when begins with the age of old news`() throws {
        let sentences = try answer(.arrival, after: 50)
        #expect(sentences.first?.hasPrefix("Nothing was reported about the vehicle for ") == true, "\(sentences)")
    }

    @Test mutating func `why names a jam that the answer shows, and no other reason`() throws {
        trip.traffic = Traffic(intervals: [.init(start: 0, end: 1, speed: .jam)])
        #expect(try answer(.reason).first == "The last answer shows a traffic jam on the route")
        trip.traffic = nil
        trip.lastLocation?.speed = 0
        let unknown = try answer(.reason)
        #expect(unknown.first == "By its last report, the vehicle is not moving")
        #expect(unknown.last == "The service gives no reason")
    }

    @Test func `what happened tells the statuses with their times`() throws {
        #expect(try answer(.story).first?.contains("Driver is on the way to the pickup") == true)
    }

    @Test mutating func `key says for what it was requested and when it ends`() throws {
        #expect(try answer(.key) == ["Nothing is known about the key"])
        var status = TokenStatus(state: .fresh, source: "endpoint")
        status.generation = 2
        status.expiresAt = Ride.moment(95).wall
        token = status
        let first = "The key, called a token, was requested for this trip only"
        #expect(try answer(.key) == [first, "It is key number 2, good until 17:01:35, in 0:59"])
        #expect(try answer(.key, after: 70) == [first, "Key number 2 ended at 17:01:35"])
    }

    @Test func `no answer has more than three sentences`() throws {
        for question in SpokenQuestion.allCases {
            for second in [0, 20, 50, 100, 1000] {
                #expect((1...3).contains(try answer(question, after: Double(second)).count), "\(question), \(second)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `each word that help names asks its question, and so does the English one`(_ language: Language) {
        let localizer = Localizer(language)
        for question in SpokenQuestion.allCases {
            let word = question.word(in: localizer)
            #expect(localizer.askableWords.contains(word))
            for typed in [word, word.uppercased() + "?", " \(word)\r", question.word(in: .english)] {
                #expect(TypedLine(typed, localizer) == .question(question, of: nil), "\(typed) in \(language)")
            }
            #expect(TypedLine("\(word) Trip-2", localizer) == .question(question, of: "Trip-2"))
        }
    }

    @Test func `other words are told what can be asked`() {
        #expect(TypedLine("  ", .english) == .empty)
        #expect(TypedLine("wherever", .english) == .unknown("wherever"))
        #expect(TypedLine("\u{1B}[2J", .english) != .unknown("\u{1B}[2J"))
        let sentences = Localizer.english.answer(toUnknown: "wherever")
        #expect(sentences.first == "“wherever” is none of the words that can be asked")
        #expect(sentences.last == "You can type: where, when, why, what happened, key, help, quit")
    }

    @Test func `of several trips one has to be named`() throws {
        let trips = try ["trip-1", "trip-2"].map { JourneyID.trip(try TripID($0)) }
        let which = "Several are followed: trip-1, trip-2; name one, for example: where trip-2"
        #expect(Localizer.english.answer(.position, unknown: nil, trips) == [which])
        let other = Localizer.english.answer(.position, unknown: "trip-9", trips)
        #expect(other == ["“trip-9” is not followed", which])
    }
}
