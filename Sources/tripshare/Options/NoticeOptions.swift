import ArgumentParser
import TripText

/// The options that notify other programs of events.
struct NoticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run a command when something happens: status, arrival:MINUTES, late:MINUTES, stale, fresh, failure, recovered, \
            finding, plan or end. The event is a line of JSON on its standard input; can be repeated.
            """,
            valueName: "event=command"
        ),
        transform: NoticeRule.init(parsing:)
    )
    var on: [NoticeRule] = []

    @Option(
        help: ArgumentHelp(
            "Post events as JSON to this URL: with https, or with http on this machine.",
            valueName: "url"
        ),
        transform: NoticeRule.webhook
    )
    var webhook: String?

    @Option(
        help: ArgumentHelp(
            "The events for --webhook, separated by commas (default: all that take no number).",
            valueName: "events"
        ),
        transform: NoticeRule.triggers
    )
    var webhookEvents: [NoticeTrigger]?

    @Option(
        help: ArgumentHelp(
            """
            Pass this environment variable to the commands of --on, which get only those that programs need to run; can be \
            repeated.
            """,
            valueName: "name"
        )
    )
    var onEnv: [String] = []

    func validate() throws {
        try require(webhookEvents == nil || webhook != nil, .usageWebhookEvents)
        try require(onEnv.isEmpty || !on.isEmpty, .usageOnEnv)
        try require(onEnv.allSatisfy(NoticeEnvironment.isName), .usageOnEnvName)
    }

    /// The environment of the commands.
    var environment: [String: String] {
        NoticeEnvironment.variables(of: ProcessContext.current.environment, more: onEnv)
    }

    /// How long the end waits for notices that are not delivered yet.
    var wait: Duration { .seconds(10) }

    /// The rules of all options.
    var rules: [NoticeRule] {
        on + (webhook.map { [NoticeRule(triggers: webhookEvents ?? NoticeRule.standard, action: .webhook($0))] } ?? [])
    }
}
