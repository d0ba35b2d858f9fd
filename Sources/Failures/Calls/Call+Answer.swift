import Runtime

extension Call {
    /// What came back.
    package struct Answer: Sendable, Equatable {
        /// The HTTP status; over gRPC, the status of the same answer over REST; `nil` for a command, a file or a variable.
        package let status: Int?
        /// The number of the gRPC status; `nil` over REST.
        package let grpcStatus: Int?
        /// The headers that say who answered and why, with names in lower case; see ``Exchange/Answer``.
        package let headers: [HeaderField]
        /// The body, over gRPC the message as ProtoJSON; `nil` without one, or if it was not stored.
        package var body: StoredBody?
        /// The size of the received body in bytes, over gRPC the size of the message; `nil` if it is unknown.
        package var bytes: Int?

        /// Creates an answer from what was received.
        ///
        /// - Parameters:
        ///   - status: The HTTP status.
        ///   - grpcStatus: The number of the gRPC status.
        ///   - headers: All headers, or those that are known.
        ///   - body: The body.
        ///   - bytes: The size over gRPC; `nil` for the size of the body.
        package init(
            status: Int,
            grpcStatus: Int? = nil,
            headers: [(name: String, value: String)] = [],
            body: [UInt8],
            bytes: Int? = nil
        ) {
            self.init(
                status: status,
                grpcStatus: grpcStatus,
                shown: Self.shown(headers),
                body: StoredBody(redacting: body, isRefusal: status >= 300),
                bytes: bytes ?? body.count
            )
        }

        /// Returns the headers that say who answered and why, of bounded number and length.
        package static func shown(_ headers: [(name: String, value: String)]) -> [HeaderField] {
            ExchangeHeaders.relevant(headers.map { ($0.name.lowercased(), $0.value) })
        }

        /// Creates an answer from parts that are bounded and redacted.
        package init(status: Int?, grpcStatus: Int? = nil, shown headers: [HeaderField], body: StoredBody?, bytes: Int?)
        {
            (self.status, self.grpcStatus, self.headers) = (status, grpcStatus, headers)
            (self.body, self.bytes) = (body, bytes)
        }

        /// Creates the answer that an exchange describes.
        package init(_ answer: Exchange.Answer) {
            let body: StoredBody? =
                if case .text(let text) = answer.body?.content {
                    StoredBody(Array(text.utf8), ofSize: answer.bytes, isCut: text.utf8.count < answer.bytes)
                } else { nil }
            self.init(
                status: answer.status,
                grpcStatus: answer.grpcStatus,
                shown: answer.headers,
                body: body,
                bytes: answer.bytes
            )
        }

        /// The value of the first header with a name in lower case.
        package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    }
}
