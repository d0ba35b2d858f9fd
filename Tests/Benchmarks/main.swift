import Foundation

// Absolute figures depend on the machine, so that everything is compared with something else in the same run.
let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.dropFirst().first) {
case ("tokens", nil): for part in TokenBenchmarks.parts { try await TokenBenchmarks().run(part) }
case ("tokens", .some(let part)) where TokenBenchmarks.parts.contains(part): try await TokenBenchmarks().run(part)
case ("engine", nil): try await EngineBenchmarks().run()
case ("feed", nil): try await FeedBenchmarks().run()
case ("recording", nil): try await RecordingBenchmark().run()
case ("screen", nil): try ScreenBenchmark().run()
case ("replay", nil): try await ReplayBenchmark().run()
case ("replay", .some(let polls)) where Int(polls) != nil:
    try await ReplayBenchmark(polls: Int(polls) ?? 0).run()
#if os(Linux)
case ("suspension", nil): exit(SuspensionCheck.run())
#endif
case ("polls", .some(let port)) where Int(port) != nil && arguments.count == 3:
    PollCount.run(port: Int(port) ?? 0, polls: Int(arguments.last ?? "") ?? 0)
case ("feed", "serve"): try await ReplayServer.serve()
case ("feed", .some(let trips)) where Int(trips) != nil:
    try await FeedBenchmarks().run(trips: [Int(trips) ?? 0])
default:
    say(
        "usage: Benchmarks tokens [\(TokenBenchmarks.parts.joined(separator: "|"))] | engine | feed [TRIPS] | polls PORT COUNT | recording | screen | replay [POLLS]"
    )
    exit(64)
}
