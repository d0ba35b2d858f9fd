extension Call.Request {
    /// Creates the request of a log, which has neither a method of HTTP nor a URL.
    ///
    /// - Parameters:
    ///   - resource: The name of the resource, such as `providers/p/trips/t`.
    ///   - body: The request as the log has it.
    package init(resource: String, body: KeptBody?) {
        self.init(.http, nil, Self.shown(resource), [], body, nil)
    }
}
