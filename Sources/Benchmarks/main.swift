import Foundation

// `swift run -c release Benchmarks tokens` prints what issue 3 and tokens.md section 3 ask for.
switch CommandLine.arguments.dropFirst().first {
case "tokens": try await TokenBenchmarks().run()
default:
    print("usage: Benchmarks tokens")
    exit(64)
}
