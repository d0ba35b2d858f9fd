import Failures
import Foundation
import Runtime
import Subprocess
import Terminal
import Transport
import TripModel
import TripText

#if canImport(System)
import System
#else
import SystemPackage
#endif

extension NoticeSender.Delivery {
    /// Runs real commands with an environment, and posts over a transport.
    static func live(_ transport: HTTPTransport, environment: [String: String]) -> Self {
        Self(
            run: { words, input, limit in
                await withTaskGroup(of: String?.self) { group in
                    group.addTask { await failure(of: words, input: input, environment: environment) }
                    group.addTask {
                        // The wait ends early when the command has ended.
                        try? await Task.sleep(for: limit, clock: .continuous)
                        return Localizer.ofProcess(.noticeTimeout, ["limit": "\(Int(limit.seconds))"])
                    }
                    let first = await group.next() ?? nil
                    group.cancelAll()
                    return first
                }
            },
            post: { url, body, limit in
                do throws(Failure) {
                    let answer = try await transport.send(
                        HTTPTransportRequest(
                            method: "POST",
                            url: url,
                            headers: [("content-type", "application/json")],
                            body: body,
                            timeout: limit,
                            maximumResponseBytes: 1 << 16
                        )
                    )
                    return (200...299).contains(answer.status) ? nil : "HTTP \(answer.status)"
                } catch {
                    return UserMessage(error, localizer: .ofProcess).short
                }
            },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) }
        )
    }

    /// The largest text for a command, which a pipe holds as a whole.
    private static let mostBytes = 32 << 10

    /// Runs a command with a text on its standard input; returns why it failed, or `nil`.
    ///
    /// It has no terminal and no other open file; its output is dropped. Its process group is killed when the command has
    /// ended, when the task is cancelled, and when this process ends.
    private static func failure(of words: [String], input: [UInt8], environment: [String: String]) async -> String? {
        guard let command = words.first, input.count <= mostBytes else { return "E2BIG" }
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
        ]
        var group: ProcessIdentifier?
        defer { if let group { CommandGuard.end(group: group.value) } }
        let variables = environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        do {
            let pipe = try FileDescriptor.pipe()
            // The reader exists, so that writing raises no signal, and a pipe holds the text.
            _ = try pipe.writeEnd.closeAfter { try pipe.writeEnd.writeAll(input) }
            let result = try await Subprocess.run(
                command.contains("/") ? .path(FilePath(command)) : .name(command),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .custom(Dictionary(variables) { $1 }),
                platformOptions: options,
                input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                output: .discarded,
                error: .discarded
            ) { execution in
                group = execution.processIdentifier
                CommandGuard.add(group: execution.processIdentifier.value)
            }
            switch result.terminationStatus {
            case .exited(0): return nil
            case .exited(let status): return Localizer.ofProcess(.noticeExit, ["status": "\(status)"])
            case .signaled(let signal): return Localizer.ofProcess(.noticeSignal, ["signal": "\(signal)"])
            }
        } catch let error as SubprocessError {
            if error.code == .executableNotFound { return Errno.noSuchFileOrDirectory.description }
            return error.underlyingError?.description ?? error.description
        } catch {
            return "\(error)"
        }
    }
}
