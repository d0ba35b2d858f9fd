import Glibc

/// The number of files and connections that the system lets the process have open.
enum OpenFileLimit {
    /// The number to which it is raised where the system allows that.
    ///
    /// Programs that are started inherit it, and some of them look at each number below it.
    private static let wanted: rlim_t = 65_536
    /// What the program has open besides the event loops.
    private static let leastWithoutLoops: rlim_t = 64
    /// What an event loop has open; there is one per processor.
    private static let perLoop: rlim_t = 3

    /// Raises the limit as far as that goes without rights.
    ///
    /// Throws ``CommandFailure`` where the result is too little: event loops trap where they get no files.
    static func raise() throws(CommandFailure) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        let target = min(limit.rlim_max, wanted)
        if limit.rlim_cur < target {
            var raised = limit
            raised.rlim_cur = target
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let least = leastWithoutLoops + perLoop * rlim_t(processors)
        guard limit.rlim_cur < least else { return }
        throw CommandFailure(
            .unavailable,
            "The system allows this process \(limit.rlim_cur) open files; it needs \(least).\n"
                + "Raise the limit and try again: ulimit -n 1024"
        )
    }
}
