import Failures
import Foundation
import Testing
import TripTestSupport

/// Faults that the program makes itself.
@Suite("Injected faults", .ends(within: .quickTest))
struct InjectedFaultTests {
    private static func exchange(_ fault: InjectedFault?, status: Int = 503) -> Exchange {
        Exchange(
            .http,
            Exchange.Request(method: "GET", url: "https://h.example/t", headerNames: [], bytes: 0),
            answer: Exchange.Answer(status: status, headers: [], body: Array("upstream connect error".utf8)),
            duration: .zero,
            ending: .complete,
            fault: fault
        )
    }

    private static let faults = InjectedFault.Place.allCases.flatMap { place in
        InjectedFault.Effect.allCases.map { InjectedFault(["503", "latency"], place, $0) }
    }

    @Test(arguments: faults)
    func `a fault is the same after JSON and with other evidence`(fault: InjectedFault) throws {
        let exchange = Self.exchange(fault)
        let read = try JSONDecoder().decode(Exchange.self, from: JSONEncoder().encode(exchange))
        #expect(read == exchange && read.fault == fault)
        #expect(read.describing(body: [1]).fault == fault)
        #expect(exchange != Self.exchange(nil))
    }

    @Test(arguments: FailureCode.allCases, Failure.Asked.allCases)
    func `no failure of any kind blames anyone else`(code: FailureCode, asked: Failure.Asked) {
        let cause = Failure(.sourceServer).with(.status, 503)
        for fault in Self.faults where fault.effect != .altered {
            let failure = Failure(code, asked: asked, cause: cause).with(Self.exchange(fault))
            let suspects = Diagnosis(failure).suspects
            #expect(suspects == [Diagnosis.Suspect(.injectedFault, .proven)])
        }
    }

    @Test func `what only delays an answer explains no failure`() {
        let failure = Failure(.serviceUnavailable)
        let delayed = failure.with(Self.exchange(InjectedFault(["latency"], .emulator, .altered)))
        #expect(Diagnosis(delayed) == Diagnosis(failure.with(Self.exchange(nil))))
        #expect(delayed.injected == nil)
    }

    @Test func `the same failure without the fault is another one`() {
        let fault = InjectedFault(["503"], .client, .unsent)
        let injected = Failure(.serviceUnavailable).with(Self.exchange(fault))
        #expect(injected != Failure(.serviceUnavailable).with(Self.exchange(nil)))
        #expect(injected == Failure(.serviceUnavailable).with(Self.exchange(fault, status: 500)))
    }

    @Test func `the header of an emulator says what it did`() {
        for fault in Self.faults where fault.place == .emulator && fault.isSent {
            #expect(InjectedFault(headerValue: fault.headerValue) == fault)
        }
        // An emulator has received what it answers.
        for text in ["", "replaced", "unsent 503", "other 503"] { #expect(InjectedFault(headerValue: text) == nil) }
        let long = InjectedFault(headerValue: "replaced " + String(repeating: "a\u{1B}[2J,", count: 5000))
        #expect((long?.names.count ?? 0) <= 8 && !(long?.name.contains("\u{1B}") ?? true))
    }
}
