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
        // A clock that is set while the program runs does not move the times of repetitions.
        let (start, began) = (Date(), ContinuousClock.now)
        let now: @Sendable () -> Date = { start.addingTimeInterval((ContinuousClock.now - began).seconds) }
        return Self(
            run: { words, input, variables, limit in
                let program = HelperProgram(words, environment: environment.merging(variables) { $1 })
                let result = await withTaskGroup(of: DeliveryResult.self) { group in
                    group.addTask { await deliver(input, to: program) }
                    group.addTask {
                        // The wait ends early when the command has ended.
                        try? await Task.sleep(for: limit, clock: .continuous)
                        return .failed(Localizer.ofProcess(.noticeTimeout(limit: "\(Int(limit.seconds))")))
                    }
                    let first = await group.next() ?? .delivered
                    group.cancelAll()
                    return first
                }
                return result.adding(program.errors)
            },
            post: { webhook, headers, body, limit in
                do throws(Failure) {
                    let answer = try await transport.send(
                        HTTPTransportRequest(
                            method: "POST",
                            url: webhook.url,
                            headers: headers.map { (name: $0.0, value: $0.1) },
                            body: body,
                            timeout: limit,
                            maximumResponseBytes: 1 << 16
                        )
                    )
                    return DeliveryResult(answer, at: now())
                } catch {
                    return DeliveryResult(error, at: now())
                }
            },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) },
            now: now
        )
    }

    /// The largest text for a command, which a pipe holds as a whole.
    private static let mostBytes = 32 << 10

    /// Runs a program with a text on its standard input; its output is dropped.
    private static func deliver(_ input: [UInt8], to program: HelperProgram) async -> DeliveryResult {
        guard input.count <= mostBytes else { return .refused("E2BIG") }
        do {
            let pipe = try FileDescriptor.pipe()
            // The reader exists, so that writing raises no signal, and a pipe holds the text.
            _ = try pipe.writeEnd.closeAfter { try pipe.writeEnd.writeAll(input) }
            let ending = try await program.run(
                input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                output: .discarded
            )
            switch ending.status {
            case .exited(0): return .delivered
            case .exited(let status): return .failed(Localizer.ofProcess(.noticeExit(status: "\(status)")))
            case .signaled(let signal): return .failed(Localizer.ofProcess(.noticeSignal(signal: "\(signal)")))
            }
        } catch let error as SubprocessError {
            // A file that is no program is none a second later; a machine without free processes may have some then.
            let reason = error.reason(of: program.command)
            return error.isAboutFile ? .refused(reason) : .failed(reason)
        } catch {
            return .failed("\(error)")
        }
    }
}

extension DeliveryResult {
    /// Reads the answer to a post that arrived at a time.
    init(_ answer: HTTPTransportResponse, at now: Date) {
        switch answer.status {
        case 200...299: self = .delivered
        case 408, 429, 500...599:
            let sent = HTTPDate.timeOfSending(date: answer.header("Date"), age: answer.header("Age")) ?? now
            let retryAfter = answer.header("Retry-After").flatMap { HTTPDate.retryAfter($0, now: sent) }
            self = .failed("HTTP \(answer.status)", retryAfter: retryAfter)
        default: self = .refused("HTTP \(answer.status)")
        }
    }

    /// Reads why no complete answer to a post arrived until a time.
    ///
    /// The status is the answer: a body that is too large, unreadable, endless or cut off does not change it.
    fileprivate init(_ failure: Failure, at now: Date) {
        let codes: [FailureCode] = [.tooLarge, .malformed, .timedOut, .cutOff]
        guard codes.contains(failure.code), let answer = failure.exchange?.answer, let status = answer.status else {
            self = .failed(UserMessage(failure, localizer: .ofProcess).short)
            return
        }
        let headers = answer.headers.map { (name: $0.name, value: $0.value) }
        self.init(HTTPTransportResponse(status: status, headers: headers), at: now)
    }

    /// The result with the last lines of a command's standard error.
    fileprivate func adding(_ errors: String?) -> Self {
        guard let errors else { return self }
        let detail = Localizer.ofProcess(.saidDetail(message: errors))
        switch self {
        case .delivered: return self
        case .refused(let reason): return .refused(reason + detail)
        case .failed(let reason, let retryAfter): return .failed(reason + detail, retryAfter: retryAfter)
        }
    }
}
