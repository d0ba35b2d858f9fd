import Foundation
import TripModel
import TripTestSupport

/// A Fleet Engine with one fixed answer, for set-ups that an emulator can't produce.
struct CannedEngine: Sendable {
    /// The fields of the answer except the name.
    ///
    /// Evaluated for each request.
    let fields: @Sendable () -> String
    /// The offset of its clock from this machine's clock, in seconds.
    let offset: Double
    /// The body of its answer to a request without a token.
    let refusal: String

    init(
        fields: @autoclosure @escaping @Sendable () -> String,
        offset: Double = 0,
        refusal: String = #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#
    ) {
        self.fields = fields
        self.offset = offset
        self.refusal = refusal
    }

    /// Listens while the body runs.
    ///
    /// The body gets the URL.
    func run(_ body: (String) async throws -> Void) async throws {
        let engine = self
        try await CannedServer.run(.answer { engine.answer($0) }) { server in
            try await body("http://127.0.0.1:\(server.port)")
        }
    }

    private func answer(_ request: String) -> String {
        guard request.lowercased().contains("authorization: bearer ") else {
            return response("401 Unauthorized", refusal)
        }
        return response("200 OK", #"{"name":"providers/p/trips/t",\#(fields())}"#)
    }

    private func response(_ status: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nDate: \(date)\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    private var date: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date().addingTimeInterval(offset))
    }

    /// The fields of an active trip whose vehicle reported this many seconds ago.
    static func underWay(reported seconds: Double) -> String {
        let time = Date().addingTimeInterval(-seconds).formatted(.iso8601)
        return """
            "tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"v","lastLocation":{"location":{"latitude":1,"longitude":1},\
            "updateTime":"\(time)","serverTime":"\(time)"}
            """
    }
}
