import ArgumentParser
import Failures
import Runtime
import TripText

/// The options that notify other programs of events.
struct NoticeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Run a command when something happens: \(NoticeKindRow.forms). Several are separated by commas. The event is a line \
            of JSON on its standard input; can be repeated.
            """,
            valueName: "event=command"
        ),
        completion: .list(NoticeKindRow.names),
        transform: NoticeReceiver.init(parsing:)
    )
    var on: [NoticeReceiver] = []

    @Option(
        help: ArgumentHelp(
            """
            Post events as JSON to this URL: with https, or with http on this machine. It can be in a variable or a file: \
            env:NAME or file:PATH; can be repeated.
            """,
            valueName: "url"
        )
    )
    var webhook: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The events for --webhook, separated by commas (default: \
            \(NoticeTrigger.standard.map(\.name).joined(separator: ","))); once for all addresses, or once for each.
            """,
            valueName: "events"
        ),
        completion: .list(NoticeKindRow.names),
        transform: NoticeReceiver.triggers
    )
    var webhookEvents: [[NoticeTrigger]] = []

    @Option(
        help: ArgumentHelp(
            """
            Sign each post as Standard Webhooks describes it, with the secret in env:NAME or file:PATH; once for all \
            addresses, or once for each.
            """,
            valueName: "place"
        )
    )
    var webhookSecret: [String] = []

    @Option(
        help: ArgumentHelp(
            "The most events of a post, at most 100; with more than 1, the body is a JSON array (default: 1).",
            valueName: "number"
        )
    )
    var webhookBatch: Int?

    @Option(
        help: ArgumentHelp(
            "How long an event that can't be delivered is sent again, in seconds of real time (default: 3600).",
            valueName: "seconds"
        )
    )
    var noticeTime: Double?

    @Option(
        help: ArgumentHelp(
            """
            How long the end of the session waits for events that are being delivered, in seconds of real time (default: 10); \
            0 leaves them to the next session.
            """,
            valueName: "seconds"
        )
    )
    var noticeWait: Double?

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
        for (option, count) in [("--webhook-events", webhookEvents.count), ("--webhook-secret", webhookSecret.count)] {
            try require(count == 0 || !webhook.isEmpty, .usageNeedsWebhook(option: option))
            try require(count <= 1 || count == webhook.count, .usageWebhookNumber(option: option))
        }
        // A message of the parser would repeat an address or a secret.
        for text in webhook where SecretReference(text) == nil {
            try require(Webhook.accepts(text), .noticeURL(url: excerpt(text.asShownURL)))
        }
        try require(webhookSecret.allSatisfy { SecretReference($0) != nil }, .usageWebhookSecret)
        try require(webhookBatch.isNilOrIn(1...100), .usageWebhookBatch)
        try require(noticeTime.isNilOrIn(1...604_800), .usageNoticeTime)
        try require(noticeWait.isNilOrIn(0...3600), .usageNoticeWait)
        try require(onEnv.isEmpty || !on.isEmpty, .usageOnEnv)
        try require(onEnv.allSatisfy(NoticeEnvironment.isName), .usageOnEnvName)
    }

    /// The environment of the commands.
    var environment: [String: String] {
        NoticeEnvironment.variables(of: ProcessContext.current.environment, more: onEnv)
    }

    /// How long a notice that cannot be delivered is sent again, in real time.
    var time: Duration { .seconds(noticeTime ?? 3600) }

    /// How long the end of a session waits for deliveries, in real time.
    var wait: Duration { .seconds(noticeWait ?? 10) }

    /// Whether there are commands or addresses.
    var hasReceivers: Bool { !on.isEmpty || !webhook.isEmpty }

    /// Returns the receivers of all options; reads the addresses and secrets in variables and files.
    ///
    /// Throws a ``CommandFailure``. What other users can read is warned of, so that it is called once.
    func receivers() throws(CommandFailure) -> [NoticeReceiver] {
        if webhookBatch != nil, webhook.isEmpty {
            throw CommandFailure(.usage, .usageNeedsWebhook(option: "--webhook-batch"))
        }
        try checkPrograms()
        let variables = ProcessContext.current.environment
        var secrets: [WebhookSecret] = []
        for reference in webhookSecret.compactMap(SecretReference.init) {
            secrets.append(try WebhookSecret(reference, environment: variables))
        }
        var receivers = on
        for (index, text) in webhook.enumerated() {
            let hook = Webhook(
                url: try Webhook.address(text, environment: variables),
                secret: Self.value(of: index, in: secrets),
                batch: webhookBatch ?? 1
            )
            let triggers = Self.value(of: index, in: webhookEvents) ?? NoticeTrigger.standard
            let receiver = NoticeReceiver(triggers: triggers, action: .webhook(hook))
            // One of them would sign the posts of both.
            if receivers.contains(where: { $0.key == receiver.key && $0.action != receiver.action }) {
                throw CommandFailure(.usage, .usageWebhookTwice(receiver: receiver.shownName))
            }
            receivers.append(receiver)
        }
        return receivers
    }

    /// Throws a ``CommandFailure`` if a program of `--on` does not exist, or is no program.
    private func checkPrograms() throws(CommandFailure) {
        let variables = environment
        for case .command(let words) in on.map(\.action) {
            let program = HelperProgram(words, environment: variables)
            guard let obstacle = program.obstacle else { continue }
            let name = excerpt(path: program.command)
            throw CommandFailure(
                .usage,
                program.command.contains("/")
                    ? .noticeProgramUnusable(program: name, reason: obstacle)
                    : .noticeProgramMissing(program: name)
            )
        }
    }

    /// Returns the value for an address: its own one, or the only one; `nil` if there is none.
    private static func value<Value>(of index: Int, in values: [Value]) -> Value? {
        values.count == 1 ? values[0] : values.indices.contains(index) ? values[index] : nil
    }

    /// Sets what a session needs for its notices to these receivers.
    func apply(_ receivers: [NoticeReceiver], to configuration: inout SessionConfiguration) {
        configuration.notices = receivers
        configuration.noticeEnvironment = environment
        configuration.noticeTime = time
        configuration.noticeWait = wait
    }
}
