import Failures
import Foundation
import Runtime
import Subprocess
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
                let program = HelperProgram(words, environment: environment)
                let reason = await withTaskGroup(of: String?.self) { group in
                    group.addTask { await failure(of: program, input: input) }
                    group.addTask {
                        // The wait ends early when the command has ended.
                        try? await Task.sleep(for: limit, clock: .continuous)
                        return Localizer.ofProcess(.noticeTimeout(limit: "\(Int(limit.seconds))"))
                    }
                    let first = await group.next() ?? nil
                    group.cancelAll()
                    return first
                }
                guard let reason, let errors = program.errors else { return reason }
                return reason + Localizer.ofProcess(.saidDetail(message: errors))
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

    /// Runs a program with a text on its standard input; returns why it failed, or `nil`.
    ///
    /// Its output is dropped.
    private static func failure(of program: HelperProgram, input: [UInt8]) async -> String? {
        guard input.count <= mostBytes else { return "E2BIG" }
        do {
            let pipe = try FileDescriptor.pipe()
            // The reader exists, so that writing raises no signal, and a pipe holds the text.
            _ = try pipe.writeEnd.closeAfter { try pipe.writeEnd.writeAll(input) }
            let ending = try await program.run(
                input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                output: .discarded
            )
            switch ending.status {
            case .exited(0): return nil
            case .exited(let status): return Localizer.ofProcess(.noticeExit(status: "\(status)"))
            case .signaled(let signal): return Localizer.ofProcess(.noticeSignal(signal: "\(signal)"))
            }
        } catch let error as SubprocessError {
            return error.reason
        } catch {
            return "\(error)"
        }
    }
}
