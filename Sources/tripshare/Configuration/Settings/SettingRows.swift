import ArgumentParser
import Failures
import FleetTokens
import Runtime
import Terminal
import TokenSigning
import TripFeed
import TripText

/// The table of settings, in the order of the manual.
struct SettingRows: Sendable {
    /// The only instance.
    static let all = SettingRows()

    /// All rows.
    static let list = Mirror(reflecting: all).children.compactMap { $0.value as? any SettingRow }

    let providerID = Setting(
        "providerId",
        .string("string"),
        ArgumentHelp("The Google Cloud project that owns trips and vehicles.", valueName: "id")
    )
    let fleetEngineURL = Setting(
        "fleetEngineUrl",
        .string("URL"),
        or: ServiceEndpoint.google,
        ArgumentHelp("Base URL of Fleet Engine (default: \(ServiceEndpoint.google)).", valueName: "url")
    )
    let tokenURL = Setting(
        "tokenUrl",
        .string("URL template"),
        ArgumentHelp(
            "URL of the token endpoint; {tripId}, {vehicleId} or {trackingId} is replaced by the percent-encoded ID. Without them the URL is used unchanged.",
            valueName: "url"
        )
    )
    let trackingTokenURL = Setting(
        "trackingTokenUrl",
        .string("URL template with `{trackingId}`, for shipments"),
        standard: "`tokenUrl`",
        ArgumentHelp(
            "URL of the token endpoint for shipments, if another one than for trips; {trackingId} is replaced.",
            valueName: "url"
        )
    )
    let serverTokenURL = Setting(
        "serverTokenUrl",
        .string("URL of server tokens, for `trips`, `watch --all` and the list of `:watch`"),
        ArgumentHelp("URL of the token endpoint for server tokens, used unchanged.", valueName: "url")
    )
    let tokenHeaders = Setting(
        "tokenHeaders",
        option: .named("token-header"),
        .headers,
        ArgumentHelp(
            "A header for the token endpoint with its value from a variable or file: Name=env:VARIABLE, Name=file:PATH.",
            valueName: "header"
        )
    )
    let certificatesURL = Setting(
        "certificatesUrl",
        .string("URL template with `{email}`"),
        or: IssuerCertificates.google,
        ArgumentHelp(
            "URL of the issuers' certificates; {email} is replaced by the account (default: Google's).",
            valueName: "url"
        )
    )
    let iamURL = Setting(
        "iamUrl",
        option: .none,
        .string("base URL of IAM Credentials, see <doc:Credentials>"),
        standard: "that of the credentials, else Google's"
    )
    let tokenKey = Setting(
        "tokenKey",
        .string("key path"),
        standard: "`jwt`, for deliveries `token` or `jwt`",
        ArgumentHelp(
            "The key of the token in the endpoint's response, such as data.token (default: jwt, for deliveries token or jwt).",
            valueName: "key"
        )
    )
    let tokenExpirationKey = Setting(
        "tokenExpirationKey",
        .string("key path"),
        standard: "the token's own `exp`",
        ArgumentHelp("The key of the expiry in the response (default: the exp claim).", valueName: "key")
    )
    let tokenExpirationUnit = Setting(
        "tokenExpirationUnit",
        SettingKind<ExpiryUnit>.name(),
        or: .absoluteMilliseconds,
        ArgumentHelp("The unit of that expiry (default: absolute-milliseconds).", valueName: "unit")
    )
    let transport = Setting(
        "transport",
        SettingKind<ServiceProtocol>.name(": the protocol of the calls to Fleet Engine"),
        or: .rest,
        ArgumentHelp("The protocol of the calls to Fleet Engine (default: rest).", valueName: "protocol")
    )
    let ca = Setting(
        "ca",
        .path("a PEM file of the certificates that are trusted"),
        standard: "those in `SSL_CERT_FILE`, otherwise the system's",
        ArgumentHelp(
            "Trust only the certificates in this PEM file (default: those in SSL_CERT_FILE, otherwise the system's).",
            valueName: "file"
        )
    )
    let proxy = Setting(
        "proxy",
        .proxy,
        standard: "those of the environment, for other machines",
        ArgumentHelp(
            """
            The HTTP proxy, as http://host:port (default: those of the environment, for other machines); NO_PROXY lists the \
            exceptions.
            """,
            valueName: "url"
        )
    )
    let interval = Setting(
        "interval",
        .seconds(upTo: 86_400, "; twice as many while a trip has no vehicle"),
        or: 5,
        ArgumentHelp(
            "Seconds between polls of a trip, at least 5 for Google's service and 1 otherwise (default: 5).",
            valueName: "seconds"
        )
    )
    let quota = Setting(
        "quota",
        .whole(1...1_000_000, ": polls of all trips in a minute"),
        standard: "6000 for Google's, else none",
        ArgumentHelp(
            "Maximum polls per minute for all trips together; more trips lengthen the interval (default: 6000 for Google's).",
            valueName: "polls"
        )
    )
    let thresholds = Setting(
        "thresholds",
        option: .named("threshold"),
        .thresholds,
        standard: "as below",
        ArgumentHelp(
            "The threshold above which a finding is reported, such as offRoute=80; can be repeated.",
            valueName: "name=number"
        )
    )
    let theme = Setting(
        "theme",
        SettingKind<Theme.Name>.name(),
        standard: "chosen for the terminal",
        ArgumentHelp("The color theme (default: one that suits the terminal).", valueName: "name")
    )
    let lang = Setting(
        "lang",
        SettingKind<Language>.name { Language(named: $0) },
        standard: "from the locale, else `en`",
        ArgumentHelp("The language (default: from the locale).", valueName: "language")
    )
    let units = Setting(
        "units",
        SettingKind<Localizer.Units>.name(),
        standard: "from the locale, else `metric`",
        ArgumentHelp("Units of distances and speeds (default: from the locale).", valueName: "units")
    )
    let bell = Setting(
        "bell",
        .flag(""),
        or: false,
        "Ring the terminal's bell at arrivals, drop-off, cancellation and loss of tracking."
    )
    let accessible = Setting(
        "accessible",
        .flag(", unless another output is asked for"),
        or: false,
        "Write sentences for a screen reader instead of a screen, with the vehicle's position in words."
    )
    let calm = Setting("calm", .flag(""), or: false, "Move the vehicle on the map once per second only.")
    let basemaps = Setting(
        "basemaps",
        option: .none,
        .path(
            "a folder of map files; the one of the smallest area that covers the trip is drawn, unless `--basemap` names one"
        ),
        standard: "none"
    )
    let askBackground = Setting(
        "askBackground",
        option: .none,
        .flag(": ask the terminal for its background and follow its changes, unless `theme` is given"),
        or: true,
        ""
    )
    let title = Setting(
        "title",
        option: .none,
        .flag(": show the next arrival in the title of the window"),
        or: true,
        ""
    )
    let progress = Setting(
        "progress",
        option: .none,
        SettingKind<ProgressChoice>.name(": report how much of the ride is over; `auto`: if the terminal reads it"),
        or: .auto,
        ""
    )
    let tripPage = Setting(
        "tripPage",
        option: .none,
        .string("URL template of a page about a trip, with `{tripId}`; the ID of the trip is a link to it")
    )
    let links = Setting(
        "links",
        option: .none,
        .flag(": let the terminal open saved files, the recording and `tripPage` by a click"),
        or: true,
        ""
    )
    let keys = Setting(
        "keys",
        option: .none,
        hasVariable: false,
        SettingKind<[String: JSONValue]>.keys,
        standard: "the table of <doc:Keys>"
    )

    /// The table of the manual.
    static var markdown: [String] {
        let head = ["| in the file | option | environment | value | default |", "|---|---|---|---|---|"]
        return head
            + list.map { row in
                let names = [row.key, row.flag.map { "--\($0)" }, row.variable].map { $0.map { "`\($0)`" } ?? "–" }
                return "| \((names + [row.documentation, row.standard]).joined(separator: " | ")) |"
            }
    }
}
