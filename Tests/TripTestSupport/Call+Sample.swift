package import Failures
package import Runtime

extension Call {
    /// Returns a call for a trip with an answer; without a status there was none.
    package static func sample(
        _ operation: Operation = .getTrip,
        about subject: String = "trip-1",
        _ request: Request? = nil,
        status: Int? = 200,
        grpcStatus: Int? = nil,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        bytes: Int? = nil,
        at started: Moment,
        until ended: Moment? = nil,
        took duration: Duration = .zero,
        failure: Failure? = nil,
        fault: InjectedFault? = nil
    ) -> Call {
        let url = "https://fleet.example/v1/providers/p/trips/\(subject)"
        return Call(
            operation,
            about: subject,
            request ?? Request(own: "GET", url, options: nil),
            status.map { status in
                Answer(
                    status: status,
                    grpcStatus: grpcStatus,
                    shown: Answer.shown(headers),
                    body: body.map { StoredBody($0) },
                    bytes: bytes ?? body?.count
                )
            },
            started: started,
            ended: ended ?? started,
            duration: duration,
            failure: failure,
            fault: fault
        )
    }
}
