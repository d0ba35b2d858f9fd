public import Runtime

/// A call with which a driver reports its vehicle, and its result.
public struct DriverCall: Sendable, Equatable {
    /// Why a call failed.
    public struct Failure: Sendable, Equatable {
        /// The code for programs.
        public var code: String
        /// The message of the service, or the reason why there is no answer; untrusted text; `nil` if there is none.
        public var message: String?

        /// Creates a failure.
        public init(code: String, message: String?) {
            (self.code, self.message) = (code, message)
        }
    }

    /// The ID of the vehicle, which serves trips or deliveries.
    public var vehicle: String
    /// The HTTP method.
    public var method: String
    /// The URL with its query, which names the reported fields.
    public var url: String
    /// The body of the request.
    public var body: String
    /// When the call ended.
    public var finished: Moment
    /// The duration in real time.
    public var latency: Duration
    /// The HTTP status of the answer; `nil` without one.
    public var status: Int?
    /// The size of the answer in bytes; `nil` without one.
    public var bytes: Int?
    /// Why it failed; `nil` if it succeeded.
    public var failure: Failure?

    /// Creates a call without a result.
    public init(
        vehicle: String,
        method: String,
        url: String,
        body: String,
        finished: Moment,
        latency: Duration
    ) {
        (self.vehicle, self.method, self.url, self.body) = (vehicle, method, url, body)
        (self.finished, self.latency) = (finished, latency)
    }
}
