import Failures
import Foundation
import Runtime

/// Calls of a log as entries of an HTTP Archive.
///
/// A log has neither the HTTP method nor the duration: the method is the service's method, and all timings are -1, the value
/// for unknown timings, so that their sum is 0.
extension HARExport {
    /// Returns the entry of a call.
    static func entry(ofLogged call: Call) -> JSONValue {
        let unknown: JSONValue = .number(-1)
        let resource = call.request.url.contains("/") ? call.request.url : ""
        return .members([
            "pageref": .string("session"), "startedDateTime": .time(call.started.wall), "time": .number(0),
            "request": .members([
                "method": .text(call.operation.rawValue),
                "url": .string(ExportText.body("https://fleetengine.googleapis.com/v1/\(resource)")),
                "httpVersion": .string("unknown"), "cookies": .array([]), "headers": .array([]),
                "queryString": .array([]), "headersSize": .number(-1), "bodySize": .number(-1),
                "postData": call.request.body.map { body in
                    .members(["mimeType": .string("application/json"), "text": text(body)])
                },
            ]),
            "response": .members([
                // An answer without an error means that the service has accepted the call.
                "status": .integer(call.answer?.status ?? (call.failure == nil ? 200 : 0)),
                "statusText": .text(call.failure?.answer?.status ?? ""), "httpVersion": .string("unknown"),
                "cookies": .array([]), "headers": .array([]),
                "content": .members([
                    "size": .integer(call.answer?.body?.size ?? 0), "mimeType": .string("application/json"),
                    "text": call.answer?.body.map(text),
                    "comment": call.answer?.body?.isCut == true ? .string("shortened") : nil,
                ]), "redirectURL": .text(""), "headersSize": .number(-1), "bodySize": .number(-1),
            ]), "cache": .object([]),
            "timings": .members([
                "blocked": unknown, "dns": unknown, "connect": unknown, "ssl": unknown, "send": unknown,
                "wait": unknown, "receive": unknown,
            ]),
            "comment": .text(
                ["from a log", call.failure?.answer?.message].compactMap(\.self).joined(separator: ": ")
            ),
        ])
    }
}
