import FleetTokens

let provider = TokenProvider(source: try HTTPTokenSource(url: CommandLine.arguments[1]))
let events = provider.events()
let log = Task {
    for await event in events {
        let line = "\(event.date) \(event.context): \(event.kind.name)"
        switch event.kind {
        case .stored: print(line, event.status.fingerprint ?? "", event.status.warningCodes)
        case .failed(let error): print(line, error.code, error.isPermanent ? "needs a change" : "is repeated")
        case .rejected(let status): print(line, "with \(status.label)")
        case .omitted(let omission): print(line, omission.total)
        default: print(line)
        }
    }
}
let subject = try AuthorizationContext(trip: CommandLine.arguments[2])
// Your own request; a token that the service refuses is replaced once.
var refusals = 1
_ = try await provider.request(for: subject) { authorization in
    defer { refusals -= 1 }
    return refusals > 0 ? 401 : 200
}
provider.stopRefreshing(subject)
await provider.close()
await log.value
