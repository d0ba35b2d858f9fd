/// The words in which frameworks, gateways and pages speak; one set is for development, the other one is only checked.
struct Wordings {
    /// A framework: how its errors look.
    struct Framework {
        let name: String
        let mediaType: String
        let headers: [(name: String, value: String)]
        /// Returns the body of an error.
        let body: @Sendable (_ status: Int, _ message: String) -> String
    }

    /// A page for people.
    struct Page {
        let title: String
        let text: String
    }

    let frameworks: [Framework]
    /// What endpoints say about failures of their own.
    let failures: [String]
    /// What endpoints say about missing logins.
    let logins: [String]
    /// What endpoints say about unknown addresses.
    let addresses: [String]
    /// What endpoints say about requests that they don't understand.
    let requests: [String]
    /// What endpoints say about trips that a login may not see.
    let denials: [String]
    /// What firewalls show.
    let challenges: [(headers: [(name: String, value: String)], status: Int, page: Page)]
    /// Addresses of sign-in pages.
    let signIns: [String]
    /// Pages of web sites.
    let sites: [Page]
    /// Pages of proxies and networks.
    let networks: [Page]
    /// The errors of API gateways: status, headers and body.
    let gateways: [(status: Int, headers: [(name: String, value: String)], body: String)]
    /// Servers in front of an endpoint.
    let servers: [String]

    static func named(_ isFinal: Bool) -> Wordings { isFinal ? final : development }

    private static func json(_ body: @escaping @Sendable (Int, String) -> String) -> @Sendable (Int, String) -> String {
        body
    }

    static let development = Wordings(
        frameworks: [
            Framework(name: "Express", mediaType: "application/json", headers: [("x-powered-by", "Express")]) {
                #"{"error":"\#($1)","code":\#($0)}"#
            },
            Framework(name: "Spring", mediaType: "application/problem+json", headers: []) {
                #"{"type":"about:blank","title":"Error","status":\#($0),"detail":"\#($1)","instance":"/token"}"#
            },
            Framework(name: "Django REST", mediaType: "application/json", headers: [("vary", "Accept, Cookie")]) {
                #"{"detail":"\#($1)"}"#
            },
            Framework(name: "Rails", mediaType: "application/json", headers: [("x-request-id", "5c8e")]) {
                #"{"status":\#($0),"error":"\#($1)"}"#
            },
            Framework(name: "Laravel", mediaType: "application/json", headers: [("x-powered-by", "PHP/8.3")]) {
                #"{"message":"\#($1)"}"#
            },
            Framework(name: "FastAPI", mediaType: "application/json", headers: [("server", "uvicorn")]) {
                #"{"detail":[{"loc":["path","trip"],"msg":"\#($1)","type":"value_error"}]}"#
            },
        ],
        failures: ["signBlob failed", "could not load the key", "database is locked", "Internal Server Error"],
        logins: ["login required", "Authentication credentials were not provided.", "invalid session"],
        addresses: ["Cannot GET /token", "No route matches [GET] \\\"/token\\\"", "Not Found"],
        requests: ["tripId must not be empty", "body is missing", "The given data was invalid."],
        denials: ["not your trip", "You do not have permission to perform this action."],
        challenges: [
            (
                [("server", "cloudflare"), ("cf-ray", "8a1b-FRA"), ("cf-mitigated", "challenge")], 403,
                Page(title: "Just a moment...", text: "Enable JavaScript and cookies to continue")
            ),
            (
                [("server", "AkamaiGHost")], 403,
                Page(title: "Access Denied", text: "You don't have permission to access this server. Reference #18.4")
            ),
            (
                [("x-amzn-waf-action", "captcha")], 405,
                Page(title: "Human Verification", text: "Let's confirm you are human")
            ),
        ],
        signIns: [
            "https://accounts.google.com/o/oauth2/v2/auth", "https://login.example.com/",
            "https://sso.example.net/saml",
        ],
        sites: [
            Page(title: "Example Cabs", text: "Book a ride in your city."),
            Page(title: "Welcome to nginx!", text: "If you see this page, the web server is successfully installed."),
        ],
        networks: [
            Page(title: "Hotel Wi-Fi", text: "Accept the terms to use the internet."),
            Page(title: "ERROR: The requested URL could not be retrieved", text: "Access control prevents it."),
        ],
        gateways: [
            (
                403, [("server", "kong/3.4"), ("x-kong-response-latency", "0")],
                #"{"message":"IP address not allowed"}"#
            ),
            (403, [("server", "istio-envoy")], "RBAC: access denied"),
            (403, [("x-amzn-errortype", "ForbiddenException")], #"{"message":"Forbidden"}"#),
        ],
        servers: ["nginx", "envoy", "awselb/2.0"]
    )

    /// Whoever changes the rules does not read these words.
    static let final = Wordings(
        frameworks: [
            Framework(name: "ASP.NET", mediaType: "application/problem+json", headers: [("server", "Kestrel")]) {
                #"{"type":"https://tools.ietf.org/html/rfc9110","title":"\#($1)","status":\#($0),"traceId":"00-a1"}"#
            },
            Framework(name: "Go", mediaType: "text/plain", headers: [("x-content-type-options", "nosniff")]) {
                _ = $0
                return "\($1)\n"
            },
            Framework(name: "JSON:API", mediaType: "application/vnd.api+json", headers: []) {
                #"{"errors":[{"status":"\#($0)","title":"\#($1)"}]}"#
            },
            Framework(name: "Quarkus", mediaType: "application/json", headers: []) {
                #"{"details":"Error id 41f0","stack":"","status":\#($0),"message":"\#($1)"}"#
            },
            Framework(name: "Phoenix", mediaType: "application/json", headers: [("server", "Cowboy")]) {
                #"{"errors":{"detail":"\#($1)","code":\#($0)}}"#
            },
            Framework(name: "Spring XML", mediaType: "application/xml", headers: []) {
                "<error><code>\($0)</code><message>\($1)</message></error>"
            },
        ],
        failures: ["Schlüssel fehlt", "unerwarteter Fehler", "鍵を読み込めません", "connexion à la base impossible", "panic"],
        logins: ["jeton manquant", "ログインが必要です", "Kein Zugriff ohne Anmeldung", "no session"],
        addresses: ["404 page not found", "Pfad unbekannt", "recurso no encontrado", "no such handler"],
        requests: ["champ obligatoire : tripId", "Ungültige Eingabe", "unexpected end of input"],
        denials: ["Fahrt gehört nicht zu diesem Konto", "acceso denegado al viaje", "policy forbids this trip"],
        challenges: [
            (
                [("server", "Sucuri/Cloudproxy"), ("x-sucuri-id", "15008")], 403,
                Page(title: "Sucuri WebSite Firewall - Zugriff verweigert", text: "Ihre Anfrage wurde abgelehnt")
            ),
            (
                [("x-datadome", "protected"), ("server", "DataDome")], 403,
                Page(title: "exemple.fr", text: "Veuillez activer JS et désactiver tout bloqueur de publicité")
            ),
            (
                [("x-iinfo", "9-1234-0"), ("x-cdn", "Imperva")], 503,
                Page(title: "", text: "Request unsuccessful. Incapsula incident ID: 877000")
            ),
            (
                [("server", "cloudflare"), ("cf-ray", "77a-NRT")], 403,
                Page(title: "注意が必要です", text: "このサイトへのアクセスは制限されています")
            ),
        ],
        signIns: [
            "https://login.microsoftonline.com/common/oauth2/authorize",
            "https://id.example.org/realms/x/protocol/openid",
            "/users/sign_in", "https://tenant.okta.com/app/x",
        ],
        sites: [
            Page(title: "Taxi Müller", text: "Rufen Sie uns an."),
            Page(title: "Index of /", text: "Parent Directory"),
            Page(title: "株式会社サンプル", text: "お問い合わせはこちら"),
        ],
        networks: [
            Page(title: "Gast-WLAN", text: "Bitte bestätigen Sie die Nutzungsbedingungen."),
            Page(title: "Portail d'accès", text: "Connectez-vous pour continuer."),
        ],
        gateways: [
            (403, [("server", "APISIX/3.8")], #"{"message":"Your IP address is not allowed"}"#),
            (403, [("x-azure-ref", "0AbC")], "<h2>Our services aren't available right now</h2>"),
            (
                403, [("server", "envoy"), ("x-envoy-local", "1")],
                "Jwt verification fails"
            ),
            (429, [("x-envoy-ratelimited", "true"), ("server", "envoy")], "local_rate_limited"),
        ],
        servers: ["openresty", "HAProxy", "Google Frontend", "Varnish"]
    )
}
