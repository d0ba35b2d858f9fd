/// What was sent, what came back and how it ended: the evidence about one attempt to get an answer or a token.
///
/// It is made where the attempt is made: by a transport, a command, a file, a variable. Every text in it was bounded, redacted
/// and sanitized when it was made, so that it can be shown, recorded and compared.
public struct Exchange: Sendable, Equatable {
    /// The kinds of attempts.
    public enum Medium: String, Sendable, Hashable, CaseIterable, Codable {
        /// A request over HTTP.
        case http
        /// A call over gRPC.
        case grpc
        /// A command whose output is the answer.
        case command
        /// A file whose content is the answer.
        case file
        /// An environment variable whose value is the answer.
        case variable
    }

    /// How an attempt ended.
    public enum Ending: Sendable, Hashable {
        /// A complete answer was received, with any status.
        case complete
        /// No complete answer was received, for this reason.
        case failed(FailureCode)
        /// The command exited with this status.
        case exited(Int)
        /// The command was terminated by this signal.
        case killed(signal: Int)
        /// The command could not be started, or the file or variable could not be read.
        case unavailable
    }

    /// The parts, outside of the value because answers and errors are passed through many results.
    private final class Storage: Sendable {
        let medium: Medium
        let request: Request
        let connection: Connection?
        let answer: Answer?
        let duration: Duration
        let ending: Ending
        let fault: InjectedFault?

        init(
            _ medium: Medium,
            _ request: Request,
            _ connection: Connection?,
            _ answer: Answer?,
            _ duration: Duration,
            _ ending: Ending,
            _ fault: InjectedFault?
        ) {
            (self.medium, self.request, self.connection) = (medium, request, connection)
            (self.answer, self.duration, self.ending, self.fault) = (answer, duration, ending, fault)
        }
    }

    private let storage: Storage

    /// The kind of attempt.
    public var medium: Medium { storage.medium }
    /// What was sent.
    public var request: Request { storage.request }
    /// What is known about the connection; `nil` without one.
    public var connection: Connection? { storage.connection }
    /// What came back; `nil` if nothing did.
    public var answer: Answer? { storage.answer }
    /// The duration in real time.
    public var duration: Duration { storage.duration }
    /// How it ended.
    public var ending: Ending { storage.ending }
    /// The fault that was injected into it; `nil` without one.
    ///
    /// If the fault prevented the request, nothing here was sent or received.
    public var fault: InjectedFault? { storage.fault }

    package init(
        _ medium: Medium,
        _ request: Request,
        connection: Connection? = nil,
        answer: Answer? = nil,
        duration: Duration,
        ending: Ending,
        fault: InjectedFault? = nil
    ) {
        storage = Storage(medium, request, connection, answer, duration, ending, fault)
    }

    /// Returns the exchange with the fault that was injected into it.
    package func with(_ fault: InjectedFault) -> Exchange {
        Exchange(
            medium,
            request,
            connection: connection,
            answer: answer,
            duration: duration,
            ending: ending,
            fault: fault
        )
    }

    /// Returns the exchange with the body of its answer, which turned out to be unusable.
    ///
    /// The bodies of successful answers are described only then: most of them are not needed as evidence.
    package func describing(body bytes: [UInt8]) -> Exchange {
        guard var answer, answer.body == nil else { return self }
        answer.describe(bytes)
        return Exchange(
            medium,
            request,
            connection: connection,
            answer: answer,
            duration: duration,
            ending: ending,
            fault: fault
        )
    }

    /// Compares everything but the measured durations.
    public static func == (left: Exchange, right: Exchange) -> Bool {
        left.medium == right.medium && left.request == right.request && left.connection == right.connection
            && left.answer == right.answer && left.ending == right.ending && left.fault == right.fault
    }
}

extension Exchange {
    /// What was sent.
    public struct Request: Sendable, Equatable, Codable {
        /// The maximum number of names of headers.
        static let mostHeaders = 40

        /// The method and the URL without user and values of its query, or what was run or read.
        public let line: String
        /// The names of the sent headers in order, in lower case; their values may be secret.
        public let headerNames: [String]
        /// The size of the body in bytes.
        public let bytes: Int

        /// Creates the description of a request over HTTP or gRPC.
        package init(method: String, url: String, headerNames: [String], bytes: Int) {
            line = EvidenceText.text("\(method) \(EvidenceText.url(url))", limit: 500)
            self.headerNames = headerNames.prefix(Self.mostHeaders).map {
                EvidenceText.text($0.lowercased(), limit: 60)
            }
            self.bytes = bytes
        }

        /// Creates the description of a command, a file or a variable from a displayable name.
        package init(_ name: String) { self.init(line: name, headerNames: [], bytes: 0) }

        private init(line: String, headerNames: [String], bytes: Int) {
            self.line = EvidenceText.text(line, limit: 500)
            self.headerNames = headerNames.prefix(Self.mostHeaders).map { EvidenceText.text($0, limit: 60) }
            self.bytes = EvidenceText.size(bytes)
        }

        /// The request with the limits of this type, after it was read.
        var bounded: Request { Request(line: line, headerNames: headerNames, bytes: bytes) }
    }

    /// What is known about a connection.
    public struct Connection: Sendable, Equatable, Codable {
        /// Whether the connection is encrypted, or would have been.
        public let isEncrypted: Bool
        /// The proxy as `host:port`, without its login; `nil` for a direct connection.
        public let proxy: String?
        /// The version of HTTP, such as `1.1`; `nil` without an answer.
        public let httpVersion: String?
        /// The version of TLS, such as `1.3`; `nil` if there is none or it is unknown.
        public let tlsVersion: String?
        /// The server's certificate, accepted or refused; `nil` if it is unknown.
        public let certificate: Certificate?
        /// The options with which a command makes the same connection; `nil` if it needs none.
        public let options: ConnectionOptions?

        /// Creates facts about a connection.
        package init(
            isEncrypted: Bool,
            proxy: String? = nil,
            httpVersion: String? = nil,
            tlsVersion: String? = nil,
            certificate: Certificate? = nil,
            options: ConnectionOptions? = nil
        ) {
            (self.isEncrypted, self.httpVersion, self.tlsVersion) = (isEncrypted, httpVersion, tlsVersion)
            self.proxy = proxy.map { EvidenceText.text($0, limit: 120) }
            (self.certificate, self.options) = (certificate, options)
        }

        /// The connection with the limits of this type, after it was read.
        package var bounded: Connection {
            Connection(
                isEncrypted: isEncrypted,
                proxy: proxy,
                httpVersion: httpVersion.map { EvidenceText.line($0, limit: 20) },
                tlsVersion: tlsVersion.map { EvidenceText.line($0, limit: 20) },
                certificate: certificate.map {
                    Certificate(names: $0.names, issuer: $0.issuer, notBefore: $0.notBefore, notAfter: $0.notAfter)
                },
                options: options?.bounded
            )
        }
    }

    /// The names and the issuer of a server's certificate.
    public struct Certificate: Sendable, Equatable, Codable {
        /// The maximum number of names.
        static let mostNames = 10

        /// The host names that it is for.
        public let names: [String]
        /// The common name or the organization of its issuer; `nil` if it has neither.
        public let issuer: String?
        /// When it becomes valid, in seconds since 1970.
        public let notBefore: Int
        /// When it expires, in seconds since 1970.
        public let notAfter: Int

        /// Creates facts about a certificate.
        package init(names: [String], issuer: String?, notBefore: Int, notAfter: Int) {
            self.names = names.prefix(Self.mostNames).map { EvidenceText.text($0, limit: 120) }
            self.issuer = issuer.map { EvidenceText.text($0, limit: 120) }
            (self.notBefore, self.notAfter) = (notBefore, notAfter)
        }
    }
}
