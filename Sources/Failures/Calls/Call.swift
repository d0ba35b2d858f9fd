package import Runtime

/// A call between two parties, from whichever side it was seen: a poll, a page of a search, a fetch of a token, a grant of
/// credentials, a report of a driver, a call in a log, or one that the emulator receives.
///
/// Every text in it was bounded, redacted and sanitized when it was made, so that it can be shown, recorded and compared. What
/// was never sent is no call. A call is one reference in size, because it is passed through many results.
@dynamicMemberLookup
package struct Call: Sendable, Equatable {
    /// Who asks or answers.
    package enum Party: String, Sendable, Hashable, CaseIterable, Codable {
        /// This program as a client.
        case program
        /// Any other client, as the emulator sees it.
        case client
        /// The app of a rider or of a recipient, as the emulator and a log see it.
        case rider
        /// The app of a driver.
        case driver
        /// The backend of a provider.
        case backend
        /// Fleet Engine.
        case service
        /// The source of tokens: an endpoint, a command, a file, a variable or a key.
        case tokens
        /// A server that grants the credentials with which tokens are made: OAuth 2.0, IAM or a metadata server.
        case credentials
    }

    /// What is asked for: the name of a method of the service, or one of the names below.
    package struct Operation: RawRepresentable, Sendable, Hashable {
        /// The maximum number of characters.
        static let longest = 60

        /// The name, such as `GetTrip`; of bounded length.
        package let rawValue: String

        /// Creates an operation from its name.
        package init(rawValue: String) { self.rawValue = EvidenceText.line(rawValue, limit: Self.longest) }

        private init(named name: String) { rawValue = name }

        /// A trip.
        package static let getTrip = Operation(named: "GetTrip")
        /// A shipment as its recipient sees it.
        package static let getTaskTrackingInfo = Operation(named: "GetTaskTrackingInfo")
        /// A page of the trips of a project, without routes and waypoints.
        package static let searchTrips = Operation(named: "SearchTrips")
        /// A token.
        package static let fetchToken = Operation(named: "FetchToken")
        /// The credentials with which a token is made.
        package static let grantCredentials = Operation(named: "GrantCredentials")
        /// Something that has no name, such as an unknown path.
        package static let unknown = Operation(named: "")
    }

    /// Why a call was made when it was made.
    package enum Cause: String, Sendable, Hashable, CaseIterable, Codable {
        /// A user or a program asked for it.
        case requested
        /// A token was missing.
        case needed
        /// A token was refreshed ahead of its expiry.
        case ahead
        /// The service had refused the token before.
        case rejected
        /// The call before it had failed.
        case retry
    }

    /// The parts of a call.
    package struct Parts: Sendable, Equatable {
        /// Who asked.
        package var asker: Party
        /// Who answered, or should have.
        package var answerer: Party
        /// What was asked for.
        package var operation: Operation
        /// The ID of the trip or the vehicle, or the name of the shipment, that it was about; empty if none is known.
        ///
        /// Untrusted text of bounded length. A shipment has the name of its `JourneyID`.
        package var subject: String
        /// What was sent.
        package var request: Request
        /// What came back; `nil` if nothing did.
        package var answer: Answer?
        /// What is known about the connection; `nil` if it was not stored.
        package var connection: Exchange.Connection?
        /// When it began; a call that waited for a token began before it had one.
        package var started: Moment
        /// When its outcome was known.
        package var ended: Moment
        /// The duration in real time, without the wait for a token; `nil` if it is unknown.
        package var duration: Duration?
        /// Which token of the key was sent or received, starting at 1; `nil` without one, or if it is unknown.
        package var token: Int?
        /// The token that was sent or received, as the emulator sees it; `nil` without one, or if it is unknown.
        package var credential: Credential?
        /// Why it was made at that time; `nil` if its time had come, or if it is unknown.
        package var cause: Cause?
        /// Why it failed; `nil` if it succeeded.
        package var failure: Failure?
        /// The fault of this program that made or changed its answer; `nil` without one.
        package var fault: InjectedFault?
    }

    private final class Storage: Sendable {
        let parts: Parts

        init(_ parts: Parts) { self.parts = parts }
    }

    private var storage: Storage

    /// The parts.
    var parts: Parts { storage.parts }

    init(_ parts: Parts) { storage = Storage(parts) }

    /// Creates a call; further parts can be set afterwards.
    package init(
        _ operation: Operation,
        from asker: Party = .program,
        to answerer: Party = .service,
        about subject: String,
        _ request: Request,
        _ answer: Answer? = nil,
        started: Moment,
        ended: Moment,
        duration: Duration? = nil,
        token: Int? = nil,
        failure: Failure? = nil,
        fault: InjectedFault? = nil
    ) {
        let parts = Parts(
            asker: asker,
            answerer: answerer,
            operation: operation,
            subject: EvidenceText.line(subject, limit: Self.longestSubject),
            request: request,
            answer: answer,
            started: started,
            ended: ended,
            duration: duration,
            token: token,
            failure: failure,
            fault: fault
        )
        self.init(parts)
    }

    /// The maximum number of characters of a subject.
    static let longestSubject = 200

    /// A part of the call.
    package subscript<Value>(dynamicMember part: WritableKeyPath<Parts, Value>) -> Value {
        get { storage.parts[keyPath: part] }
        set {
            var parts = storage.parts
            parts[keyPath: part] = newValue
            storage = Storage(parts)
        }
    }

    /// Compares the parts.
    package static func == (left: Call, right: Call) -> Bool {
        left.storage === right.storage || left.storage.parts == right.storage.parts
    }
}

extension Call {
    /// A token, without the token.
    package struct Credential: Sendable, Equatable, Codable {
        /// What it is: `jwt`, another kind of credential in its place, such as `api_key`, or `unknown`.
        package let kind: String
        /// The first eight hexadecimal digits of its SHA-256.
        package let fingerprint: String

        /// Creates a description of a token.
        package init(kind: String, fingerprint: String) {
            self.kind = EvidenceText.line(kind, limit: 40)
            self.fingerprint = EvidenceText.line(fingerprint, limit: 16)
        }

        /// The description with the limits of this type, after it was read.
        var bounded: Credential { Credential(kind: kind, fingerprint: fingerprint) }
    }
}

extension Call.Request {
    /// Creates the request of a log, which has neither a method of HTTP nor a URL.
    ///
    /// - Parameters:
    ///   - resource: The name of the resource, such as `providers/p/trips/t`.
    ///   - body: The request as the log has it.
    package init(resource: String, body: StoredBody?) {
        self.init(medium: .http, method: nil, url: Self.shown(resource), headers: [], body: body, options: nil)
    }
}
