import Foundation

// Figures of one machine mean little, so that everything is measured beside something else in the same run.
switch CommandLine.arguments.dropFirst().first {
case "tokens": try await TokenBenchmarks().run()
default:
    print("usage: Benchmarks tokens")
    exit(64)
}
