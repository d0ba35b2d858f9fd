import Canvas
import Failures
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripTestSupport
import TripText

@Suite("The list of calls", .ends(within: .quickTest))
struct CallListTests {
    private func network(_ width: Int = 120, _ height: Int = 40, failing: Bool = true) throws -> State {
        try (failing ? ViewPictureTests.Scene.networkErrors : .network).screen(width, height)
    }

    private func press(_ keys: String, _ state: inout State) {
        for key in keys { _ = state.update(.key(.character(key))) }
    }

    @Test func `has polls and fetches of tokens in the order in which they ended`() throws {
        let state = try network(failing: false)
        let calls = try #require(state.trip?.calls.entries)
        #expect(Set(calls.map(\.call.party)) == [.service, .tokens])
        #expect(
            zip(calls, calls.dropFirst()).allSatisfy {
                $0.call.ended.wall <= $1.call.ended.wall && $0.number < $1.number
            }
        )
        let text = view(state).text
        #expect(text.contains("Fleet Engine GetTrip") && text.contains("token"), "\(text)")
    }

    @Test func `numbers the token that each poll was sent with`() throws {
        let calls = try #require(try network(failing: false).trip?.calls.entries)
        var number: Int?
        for entry in calls {
            if entry.call.party == .tokens { number = entry.call.token } else { #expect(entry.call.token == number) }
        }
        #expect(number != nil)
    }

    @Test func `follows the newest call until another one is chosen`() throws {
        var state = try network()
        #expect(state.panels.network.list.chosen == nil)
        press("k", &state)
        let chosen = try #require(state.panels.network.list.chosen)
        #expect(chosen == (state.trip?.calls.entries.last?.number ?? 0) - 1)
        press("G", &state)
        #expect(state.panels.network.list.chosen == nil)
        press("g", &state)
        #expect(state.panels.network.list.chosen == state.trip?.calls.entries.first?.number)
    }

    @Test func `jumps between failures, and says if there is no further one`() throws {
        var state = try network()
        press("gn", &state)
        let entries = try #require(state.trip?.calls.entries)
        let first = try #require(entries.first { $0.call.failure != nil })
        #expect(state.panels.network.list.chosen == first.number)
        press("N", &state)
        #expect(state.panels.network.list.chosen == first.number && state.message == "No earlier call has failed")
        var good = try network(failing: false)
        press("n", &good)
        #expect(good.message == "No later call has failed")
    }

    @Test func `shows only failures, and only calls with a text`() throws {
        var state = try network()
        press("!", &state)
        let failed = try #require(state.trip?.calls.entries.count { $0.call.failure != nil })
        #expect(failed > 0 && view(state).text.contains("failed ones only"))
        #expect(!view(state).text.contains("✓ 200 "), "\(view(state).text)")
        press("!/token", &state)
        _ = state.update(.key(.enter))
        let text = view(state).text
        #expect(text.contains("Calls with ‘token’"), "\(text)")
        press("/", &state)
        for _ in 0..<5 { _ = state.update(.key(.backspace)) }
        press("nothing has this", &state)
        #expect(view(state).text.contains("No call fits the filter"))
        _ = state.update(.key(.escape))
        #expect(!view(state).text.contains("No call fits the filter"))
    }

    @Test func `orders by party, status, size and duration, either way`() throws {
        var state = try network(failing: false)
        press("ssss", &state)
        let slowest = try #require(state.trip?.calls.entries.compactMap(\.call.duration).max())
        let text = view(state).text
        #expect(text.contains("by duration") && text.contains("in \(Localizer.english.latency(slowest))") == false)
        press("S", &state)
        #expect(view(state).text.contains("by duration, reversed"))
        press("s", &state)
        #expect(!view(state).text.contains("by duration"))
    }

    @Test func `opens a call with its request, its answer, its token and its command`() throws {
        var state = try network(80, 24, failing: false)
        _ = state.update(.key(.enter))
        let text = view(state).text
        for part in ["Sent", "GET ", "Answer", "HTTP 200", "Token", "number "] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
        _ = state.update(.key(.enter))
        #expect(state.overlay == nil)
    }

    @Test func `a failed call has its cause and the next step`() throws {
        var state = try network(80, 24)
        press("n", &state)
        press("Ngn", &state)
        _ = state.update(.key(.enter))
        let text = view(state).text
        #expect(text.contains("What happened") || text.contains("Next"), "\(text)")
    }

    @Test func `has the reports of the trip's driver, with what was reported and how to send it again`() throws {
        var state = try network(failing: false)
        let trip = try #require(state.trip?.id)
        var call = Call(
            Call.Operation(rawValue: "UpdateVehicle"),
            from: .driver,
            about: "trip-1",
            Call.Request(
                own: "PUT",
                "http://127.0.0.1:9/v1/providers/p/vehicles/v1?updateMask=vehicleState",
                body: Array(#"{"vehicleState":"ONLINE"}"#.utf8),
                options: nil
            ),
            Call.Answer(status: 200, body: Array("{}".utf8)),
            started: state.now,
            ended: state.now,
            duration: .milliseconds(4)
        )
        _ = state.update(.feed(.driver(trip, call)))
        let text = view(state).text
        #expect(text.contains("driver       UpdateVehicle"), "\(text)")
        #expect(text.contains("PUT …/providers/p/vehicles/v1") || text.contains("PUT /v1/providers/p/vehicles/v1"))
        for part in [#"{"vehicleState":"ONLINE"}"#, "curl -sS -X PUT", "HTTP 200"] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
        call.answer = Call.Answer(status: 503, body: [])
        call.failure = .service(
            ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE", message: "Try again."),
            retryAfter: nil
        )
        _ = state.update(.feed(.driver(trip, call)))
        press("!", &state)
        #expect(view(state).text.contains("The driver's report failed: Try again."), "\(view(state).text)")
        press("!/driver", &state)
        #expect(view(state).text.contains("2 of "), "\(view(state).text)")
        press(" status:5xx", &state)
        #expect(view(state).text.contains("1 of "), "the words of `calls --filter`: \(view(state).text)")
    }

    @Test func `has each page of a search once, in the view of each trip, with its body when it is opened`() throws {
        var state = try network(120, 40, failing: false)
        let count = state.trip?.calls.count ?? 0
        func search(_ failure: Failure?) -> SearchEvent {
            let url = "https://fleet.example/v1/providers/p/trips:search"
            let call = Call(
                .searchTrips,
                about: "",
                Call.Request(own: "POST", url, body: Array(#"{"pageSize":200}"#.utf8), options: nil),
                Call.Answer(status: failure == nil ? 200 : 503, body: Array(#"{"trips":[{"name":"listed"}]}"#.utf8)),
                started: state.now,
                ended: state.now,
                duration: .milliseconds(4),
                failure: failure
            )
            return SearchEvent(call, started: state.now, finished: state.now, failure: failure)
        }
        _ = state.update(.search(search(nil)))
        _ = state.update(
            .feed(.scheduled(.trip(try TripID("another")), PollSchedule(interval: .seconds(5), next: nil)))
        )
        #expect(state.project.calls.count == 1 && state.trip?.calls.count == count)
        #expect(view(state).text.contains("\(count + 1) calls"), "\(view(state).text)")
        let url = "https://fleet.example/v1/providers/p/trips:search"
        let command =
            "curl -sS -X POST -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' "
            + #"-d '{"pageSize":200}' '\#(url)'"#
        #expect(state.update(.command("copy")) == [.copy(command)])
        _ = state.update(.key(.enter))
        for part in ["SearchTrips", "curl -sS -X POST", #""name":"listed""#, #""pageSize":200"#, "HTTP 200"] {
            #expect(view(state).text.contains(part), "\(part) is missing in \(view(state).text)")
        }
        _ = state.update(.key(.enter))
        let snapshot = state.snapshot
        let busy = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE", message: "Try again.")
        _ = state.update(.search(search(.service(busy, retryAfter: nil))))
        press("!", &state)
        #expect(view(state).text.contains("SearchTrips"), "\(view(state).text)")
        state.restore(snapshot)
        #expect(state.project.calls.count == 1)
    }

    @Test func `retains a few calls of each of many trips`() {
        #expect([1, 100, 10_000].map { CallLog.Limit(trips: $0).calls } == [300, 60, 12])
    }
}
