import Failures
import Foundation
import NIOCore
import Testing
import TransportLive
import TripTestSupport

@Suite("Too many open files", .ends(within: .quickTest))
struct OpenFilesTests {
    @Test func `are reported with the limit and what to do`() {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        let fault = Failure(IOError(errnoCode: EMFILE, reason: "socket"), limit: 0)
        #expect(fault == .other(reason: SystemReason.text(EMFILE)))
        #expect(SystemReason.text(EMFILE).contains("\(limit)"))
        #expect(SystemReason.text(EMFILE).contains("ulimit -n"))
    }

    @Test func `of other processes have another reason`() {
        let fault = Failure(IOError(errnoCode: ENFILE, reason: "accept"), limit: 0)
        #expect(fault == .other(reason: "too many open files on this machine: close other programs"))
        #expect(SystemReason.text(ENOENT) == "No such file or directory")
        #expect(SystemReason.ofMissingFiles() == nil)
    }
}
