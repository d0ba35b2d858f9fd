package import Failures
import FleetTokens
package import Runtime
import TripModel

/// What credentials need from outside: variables, files, commands, the network and time.
package struct CredentialWorld: Sendable {
    /// Runs a command line without a shell and without a terminal and returns its output: command, environment, timeout.
    package typealias Runner =
        @Sendable (String, [String: String], Duration) async -> Result<[UInt8], Failure>

    /// Variables and files.
    package var files: CredentialFiles
    /// Runs commands.
    package var run: Runner
    /// The network, with the proxies of the environment.
    package var transport: HTTPTransport
    /// The clock of tokens.
    package var clock: any TripClock
    /// Waits for a real time between two attempts; throws when the task is cancelled.
    package var wait: @Sendable (Duration) async throws -> Void
    /// The base URL of IAM Credentials; `nil` for the URL of the credential.
    package var iamURL: String?

    /// Creates a world from its parts.
    package init(
        files: CredentialFiles,
        run: @escaping Runner,
        transport: HTTPTransport,
        clock: any TripClock,
        iamURL: String? = nil,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.files, self.run, self.transport) = (files, run, transport)
        (self.clock, self.wait, self.iamURL) = (clock, wait, iamURL)
    }

    func variable(_ name: String) -> String? { files.variable(name) }
}
