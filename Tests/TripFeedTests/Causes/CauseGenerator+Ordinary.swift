import Failures

/// Answers in which nothing points to a cause.
extension CauseGenerator {
    // Headlines of ordinary pages, many with words that also occur in errors.
    private static let news = [
        "Nachrichten", "Morning briefing", "오늘의 뉴스", "今日新闻", "Zscaler raises its forecast",
        "Cloudflare opens an office in Lisbon", "Bank blocks the account of a politician", "Proxy voting season begins",
        "Ministers denied access to the archive", "Streik: Verbindung nach Köln unterbrochen", "A firewall for forests",
        "Network of railways grows", "Airport security: what is forbidden", "Rate limits for loans expire",
    ]
    private static let clinic = [
        "Notaufnahme", "Vaccination centre", "Blood tests", "진료 안내", "健康", "Blocked arteries: the signs",
        "Access to care", "Patient portal: opening hours", "Portal vein thrombosis", "When a claim is denied",
        "Herzblock und Blockade", "Gateway clinic, room 502", "Internal medicine: errors and their causes",
    ]
    private static let shop = [
        "Shoes", "Angebote der Woche", "购物车", "Tienda", "Token of love: rings", "Challenge coins, set of 403",
        "Service unavailable on Sundays", "Captive audience: films", "Sign up for our newsletter", "Keys and locks",
        "Security doors", "Gutschein eingelöst oder abgelaufen?", "Squid rings, 500 g", "Varnish and paint",
    ]

    mutating func ordinary() -> InjectedCause {
        var cause: InjectedCause
        switch number(9) {
        case 0: cause = site("news", Self.news)
        case 1: cause = site("clinic", Self.clinic)
        case 2: cause = site("shop", Self.shop)
        case 3: cause = site("author", ["Author \(digits(7))", "Autor \(digits(5))", "Profile #\(digits(6))"])
        case 4: cause = site("application", ["React App", "Vite + Vue", "Dashboard", "\(word()) \(word())"])
        case 5: cause = moved()
        case 6, 7: cause = otherInterface()
        default: cause = plain("plain text", .nowhere, [], 200, [], text(2))
        }
        cause.headers += transit()
        if number(4) == 0 { cause.asked = .service }
        return cause
    }

    /// Headers that an intact chain of servers adds.
    private mutating func transit() -> [(name: String, value: String)] {
        switch number(8) {
        case 0: [("server", "cloudflare"), ("cf-ray", "\(hex(16))-FRA"), ("cf-cache-status", "DYNAMIC")]
        case 1: [("server", "nginx")]
        case 2: [("server", "Apache/2.4.57 (Debian)"), ("vary", "Accept-Encoding")]
        case 3: [("via", "1.1 google"), ("server", "Google Frontend")]
        case 4: [("x-powered-by", pick(["Express", "ASP.NET", "PHP/8.2.7", "Next.js"]))]
        default: []
        }
    }

    private mutating func site(_ name: String, _ headlines: [String]) -> InjectedCause {
        let links = (0..<4).map { _ in "<li><a href=\"/\(word())/\(digits(5))\">\(word()) \(digits(3))</a></li>" }
        let content = """
            <header><nav><ul>\(links.joined())</ul></nav></header><main><h1>\(pick(headlines))</h1>\
            <article><p>\(text(3))</p><p>\(text(2))</p></article></main><footer>© 2026 \(word()) · \(digits(5))</footer>
            """
        return page(name, .nowhere, [], 200, [], title: "\(pick(headlines)) | \(word())", content)
    }

    private mutating func moved() -> InjectedCause {
        let path = pick([
            "/news/\(digits(6))", "/authors/\(digits(5))", "/\(word())", "/patients/info", "/shop/\(hex(8))",
        ])
        return redirect(
            "redirect to a page",
            .nowhere,
            [],
            pick([301, 302, 307, 308]),
            to: "https://www.\(word()).example\(path)"
        )
    }

    private mutating func otherInterface() -> InjectedCause {
        let body = pick([
            #"{"temperature":\#(number(40)),"station":"\#(word())","text":"\#(sentence())"}"#,
            #"{"items":[{"id":\#(digits(6)),"title":"\#(sentence())"},{"id":\#(digits(6)),"title":"\#(word())"}]}"#,
            #"{"author":{"id":\#(digits(5)),"name":"\#(word())"},"books":[401,403,\#(digits(3))]}"#,
            #"[{"sku":"\#(hex(8))","price":\#(digits(3)),"description":"\#(sentence())"}]"#,
            #"{"status":"ok","version":"1.\#(digits(2))","uptime":\#(digits(5))}"#,
            #"{"count":503,"results":[],"next":"/\#(word())?page=2"}"#,
        ])
        return json("JSON of another interface", .nowhere, [], 200, [], body)
    }
}
