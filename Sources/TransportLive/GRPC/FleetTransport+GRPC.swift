import Failures
package import TripFeed

/// The options of calls over gRPC.
package struct GRPCClientOptions: Sendable {
    /// How connections are made.
    ///
    /// Calls do not pass proxies: a call for which there is one fails, because a direct connection might violate a policy.
    package var connections = ConnectionSettings()
    /// Trusted PEM certificates in addition to the certificates of ``connections``.
    package var roots: [String] = []
    /// The maximum size of a received message in bytes, also after decompression.
    package var longestMessage = 4 << 20
    /// The deadline of a call in real time, including the connection.
    package var deadline = FleetClient.deadline

    /// Creates options without proxies and further certificates.
    package init() {}
}

/// Runs a closure with a transport that sends calls over gRPC; connections are closed at its end.
///
/// TLS is verified with a minimum version of 1.2. All calls share one connection, which is created by the first call and
/// replaced when it ends.
///
/// - Parameters:
///   - endpoint: The service.
///   - options: The options.
///   - body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure, or ``Failures/Failure/tls(reason:)`` for an invalid certificate.
package func withGRPCTransport<Result: Sendable>(
    to endpoint: ServiceEndpoint,
    _ options: GRPCClientOptions = GRPCClientOptions(),
    _ body: @Sendable @escaping (FleetTransport) async throws -> Result
) async throws -> Result {
    let channel = try CallChannel(endpoint, options)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask {
            await channel.run()
            return nil
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(
                try await body(
                    FleetTransport { call, authorization throws(Failure) in
                        try await channel.send(call, authorization)
                    }
                )
            )
        } catch {
            result = .failure(error)
        }
        await channel.close()
        // The connections end by themselves, or after a second.
        try? await group.waitForAll()
        return try result.get()
    }
}
