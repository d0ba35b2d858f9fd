import Failures

/// Failures of the token endpoint, of the service, of the account and of the driver's side.
extension CauseGenerator {
    mutating func endpoint() -> InjectedCause {
        let parties: Set<Party> = [.tokenEndpoint]
        switch number(11) {
        case 0:
            let content =
                "<pre>TypeError: Cannot read properties of undefined<br> &nbsp; at Layer.handle (/srv/\(word()).js:\(digits(2)):5)</pre>"
            return page("Express", .endpoint, parties, 500, [("x-powered-by", "Express")], title: "Error", content)
        case 1:
            let body =
                #"{"timestamp":"2026-05-04T10:00:00.000+00:00","status":500,"error":"Internal Server Error","path":"/token/t"}"#
            return json("Spring", .endpoint, parties, 500, [], body)
        case 2:
            let headers = [(name: "server", value: "WSGIServer/0.2 CPython/3.11.4")]
            return page(
                "Django",
                .endpoint,
                parties,
                500,
                headers,
                title: "Server Error (500)",
                "<h1>Server Error (500)</h1>"
            )
        case 3:
            let headers = [(name: "server", value: "Microsoft-IIS/10.0"), ("x-powered-by", "ASP.NET")]
            let content =
                "<h1>Server Error in '/' Application.</h1><i>Object reference not set to an instance of an object.</i>"
            return page("IIS", .endpoint, parties, 500, headers, title: "Runtime Error", content)
        case 4:
            let message = pick(["datenbank nicht erreichbar", "pool exhausted", "서명 키를 읽을 수 없습니다", sentence()])
            return json("error inside of 200", .endpoint, parties, 200, [], #"{"success":false,"error":"\#(message)"}"#)
        case 5:
            return json(
                "FastAPI",
                .endpoint,
                parties,
                500,
                [("server", "uvicorn")],
                #"{"detail":"Internal Server Error"}"#
            )
        case 6:
            let headers = [(name: "x-request-id", value: hex(32)), ("x-runtime", "0.0\(digits(3))")]
            let title = "We're sorry, but something went wrong (500)"
            return page("Rails", .endpoint, parties, 500, headers, title: title, "<p>\(sentence())</p>")
        case 7:
            let content = "<h1>HTTP Status 500 – Internal Server Error</h1><p>java.lang.NullPointerException</p>"
            return page(
                "Tomcat",
                .endpoint,
                parties,
                500,
                [],
                title: "HTTP Status 500 – Internal Server Error",
                content
            )
        case 8:
            let body =
                "Fatal error: Uncaught Error: Call to undefined function \(word())() in /var/www/token.php:\(digits(2))"
            return plain("PHP", .endpoint, parties, 500, [("x-powered-by", "PHP/8.2.7")], body)
        case 9: return ended("nothing listens", .endpoint, [.tokenEndpoint, .commandLine], .refused)
        default: return ended("answer ends early", .endpoint, [.tokenEndpoint, .gateway, .network], .cutOff)
        }
    }

    mutating func service() -> InjectedCause {
        var cause: InjectedCause
        switch number(9) {
        case 0: cause = google(.service, [.service], 503, "UNAVAILABLE", "The service is currently unavailable.")
        case 1: cause = google(.service, [.service], 500, "INTERNAL", "Internal error encountered.")
        case 2:
            let content =
                "<p><b>502.</b> <ins>That’s an error.</ins><p>The server encountered a temporary error. <ins>That’s all we know.</ins>"
            let title = "Error 502 (Server Error)!!1"
            cause = page(
                "Google front end",
                .service,
                [.service, .gateway],
                502,
                [("server", "GFE/2.0")],
                title: title,
                content
            )
        case 3:
            cause = account(
                "SERVICE_DISABLED",
                "Fleet Engine API has not been used in project \(digits(10)) before or it is disabled."
            )
        case 4:
            cause = account(
                "BILLING_DISABLED",
                "This API method requires billing to be enabled. Please enable billing on project #\(digits(10))."
            )
        case 5:
            cause = account(
                "CONSUMER_SUSPENDED",
                "Permission denied: Consumer 'project_number:\(digits(10))' has been suspended."
            )
        case 6:
            cause = account(
                "IAM_PERMISSION_DENIED",
                "Permission 'fleetengine.trips.get' denied on resource (or it may not exist)."
            )
        case 7:
            let message = "Quota exceeded for quota metric 'Trip requests' of service 'fleetengine.googleapis.com'."
            cause = google(.account, [.serviceConfiguration], 429, "RESOURCE_EXHAUSTED", message)
        default:
            // The driver's side has not created the trip, or the ID is wrong: the answer does not say which.
            let parties: Set<Party> = [.serviceConfiguration, .commandLine]
            cause = google(.driver, parties, 404, "NOT_FOUND", "Trip not found: providers/p/trips/t")
            cause.hasEvidence = false
        }
        cause.asked = .service
        return cause
    }

    private func google(
        _ place: Place,
        _ parties: Set<Party>,
        _ status: Int,
        _ name: String,
        _ message: String
    ) -> InjectedCause {
        let body = #"{"error":{"code":\#(status),"message":"\#(message)","status":"\#(name)"}}"#
        return json(name, place, parties, status, [("server", "scaffolding on HTTPServer2")], body)
    }

    private func account(_ reason: String, _ message: String) -> InjectedCause {
        let info =
            #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)","domain":"googleapis.com"}"#
        let body = #"{"error":{"code":403,"message":"\#(message)","status":"PERMISSION_DENIED","details":[\#(info)]}}"#
        let parties: Set<Party> = [.serviceAccount, .serviceConfiguration]
        return json(reason, .account, parties, 403, [("server", "ESF")], body)
    }
}
