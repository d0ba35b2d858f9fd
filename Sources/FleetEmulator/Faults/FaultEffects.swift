package import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import TripModel

/// What the active faults change in one request and its answer.
package struct FaultEffects: Sendable {
    /// The delay of the answer.
    package var delay = Duration.zero
    /// The remote clock minus the clock of the place where the faults are injected.
    package var clockOffset = Duration.zero
    /// The error that replaces the answer; `nil` for the proper answer.
    package var error: InjectedError?
    /// How much of the answer is sent, and how fast.
    var delivery = PlainResponse.Delivery()
    /// The defects of a token in the answer.
    package var token = TokenDefects()
    /// What is wrong at the credential endpoints.
    var problems: Set<CredentialProblem> = []
    private var bodyChanges: [@Sendable (inout PlainResponse) -> Void] = []
    /// The kinds of the faults in their order, without those that have no mark or are a state of the project.
    private var kinds: [String] = []
    /// The numbers of the faults in their injector, in their order.
    package private(set) var numbers: [Int] = []

    /// Adds the effects of faults in their order; `numbers` are those in their injector.
    init(_ faults: [Fault] = [], numbers: [Int] = []) {
        for fault in faults { fault.kind.apply(fault.values, &self) }
        // A project whose key was deleted or whose account lacks a role answers as it should.
        kinds = faults.filter { $0.isMarked && $0.kind.targets != [.credentials] }.map(\.kind.name)
        self.numbers = numbers
    }

    /// Returns what an answer reports to a client about its faults; `nil` without marked faults.
    ///
    /// - Parameters:
    ///   - target: The endpoint; a wrong clock changes the tokens of an endpoint.
    ///   - status: The status that the answer would have had. An error that would have occurred anyway belongs to no fault.
    /// - Returns: The description.
    func mark(of target: Fault.Target, insteadOf status: Int) -> InjectedFault? {
        guard !kinds.isEmpty else { return nil }
        let isChanged = !bodyChanges.isEmpty || !token.isEmpty || target != .engine && clockOffset != .zero
        let replaces = error != nil || isCutOff || (200..<300).contains(status) && isChanged
        return InjectedFault(kinds, .emulator, replaces ? .replaced : .altered)
    }

    /// Replaces the answer by an error, which the body changes of earlier faults do not affect.
    mutating func replaceAnswer(with error: InjectedError) {
        self.error = error
        bodyChanges = []
    }

    /// Adds a change of the answer's body.
    mutating func changeBody(_ change: @escaping @Sendable (inout PlainResponse) -> Void) {
        bodyChanges.append(change)
    }

    /// Changes an answer before it is sent.
    func apply(to response: inout PlainResponse) {
        if let error {
            let date = response.date
            response = error.answer
            response.date = date
        }
        for change in bodyChanges { change(&response) }
        response.delivery = delivery
    }

    // MARK: In a client

    /// The time by which a client gets the answer later.
    package var lateness: Duration { delay + delivery.duration }
    /// Whether the connection is lost before the answer.
    package var isLost: Bool { delivery.share == nil }
    /// Whether the content of a successful answer is changed.
    package var changesBody: Bool { !bodyChanges.isEmpty }
    /// Whether the connection is lost within the answer.
    package var isCutOff: Bool { delivery.share.map { $0 < 1 } ?? true }

    /// Changes an answer that a client has received.
    package func apply(to response: inout HTTPTransportResponse) {
        var changed = PlainResponse(status: response.status, body: response.body)
        for change in bodyChanges { change(&changed) }
        response.body = changed.body
        guard clockOffset != .zero,
            // An answer without a time is unchanged.
            let index = response.headers.firstIndex(where: { $0.name.lowercased() == "date" }),
            let date = HTTPDate.date(response.headers[index].value)
        else { return }
        response.headers[index].value = HTTPDate.text(date.addingTimeInterval(clockOffset / .seconds(1)))
    }
}

/// An error that replaces an answer.
package struct InjectedError: Sendable {
    /// The HTTP status.
    package var status: Int
    /// The value of `Retry-After` in seconds; `nil` for none.
    package var retryAfter: Int?
    /// The body; `nil` for Google's format.
    var body: String?

    private var serviceError: ServiceError {
        ServiceError(httpStatus: status, status: StatusCode(httpStatus: status).name, message: "An injected fault.")
    }

    var answer: PlainResponse {
        var answer = PlainResponse.error(serviceError)
        if let body { answer.body = Array(body.utf8) }
        if let retryAfter { answer.headers.append(("retry-after", String(retryAfter))) }
        return answer
    }

    /// The answer as a client receives it.
    package var response: HTTPTransportResponse {
        let answer = answer
        let headers = [(name: "content-type", value: "application/json; charset=UTF-8")] + answer.headers
        return HTTPTransportResponse(status: status, headers: headers, body: answer.body)
    }
}

/// The waits that faults cause; they end when the emulator shuts down.
///
/// Without that, an emulator would end only after the longest delay, because its drivers wait for the answers to their last
/// reports.
package final class FaultDelays: Sendable {
    private struct State {
        var isOver = false
        var waits: [Int: Task<Void, Never>] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Creates an object without waits.
    init() {}

    /// Ends all waits; later ones return at once.
    package func end() {
        let waits = state.withLock { state in
            state.isOver = true
            defer { state.waits = [:] }
            return state.waits.values
        }
        for wait in waits { wait.cancel() }
    }

    /// Waits for some of the emulator's time, until ``end()``, or until the task is cancelled.
    func wait(for duration: Duration, on clock: any TripClock) async {
        // It is awaited below. A task of its own, because something else than the waiting task may cancel it.
        let wait = Task {
            // The error says only that the wait was cancelled.
            _ = try? await clock.sleep(until: clock.now().steady + duration)
        }
        let id = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.lastID += 1
            state.waits[state.lastID] = wait
            return state.lastID
        }
        guard let id else { return wait.cancel() }
        await withTaskCancellationHandler {
            await wait.value
        } onCancel: {
            wait.cancel()
        }
        state.withLock { $0.waits[id] = nil }
    }
}

/// Applies the active faults to an answer.
struct FaultyAnswer: Sendable {
    let target: Fault.Target
    let faults: FaultInjector
    let clock: any TripClock

    /// Answers a request, with faults applied.
    func answer(
        _ request: PlainRequest,
        at now: Date,
        properly: (PlainRequest, Date, FaultEffects) async -> PlainResponse
    ) async -> PlainResponse {
        let effects = faults.effects(
            on: target,
            request: "\(request.method) \(request.path)",
            authorization: request.authorization,
            at: now
        )
        guard let effects else { return await properly(request, now, FaultEffects()) }
        if effects.delay > .zero {
            // If the client disconnects, the wait is cancelled and the answer is discarded.
            await faults.delays.wait(for: effects.delay, on: clock)
        }
        let time = clock.now().wall.addingTimeInterval(effects.clockOffset.seconds)
        var response = await properly(request, time, effects)
        response.date = time
        let status = response.status
        effects.apply(to: &response)
        response.fault = effects.mark(of: target, insteadOf: status)
        if effects.isCutOff { faults.recordClosing(of: "\(request.method) \(request.path)", by: response.fault) }
        return response
    }
}
