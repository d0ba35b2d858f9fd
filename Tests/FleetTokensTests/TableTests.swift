import Foundation
import Testing
import TripTestSupport

/// The rules of the token provider, by number.
///
/// A comment with its number precedes each test that checks a rule, and this suite fails when a rule has no test.
///
/// ### Fetching and caching
///
/// - 1: The first call fetches once. The key changes from absent to fetching to fresh.
/// - 2: A second call is served from the cache.
/// - 3: Simultaneous callers of a key share one fetch.
/// - 4: Different keys are fetched concurrently.
/// - 5: A slow key does not delay a fast one.
///
/// ### Refreshing ahead
///
/// - 6: Nothing is fetched before the refresh time.
/// - 7: At the refresh time one fetch begins and callers still get the old token.
/// - 8: A refresh ahead delays no caller.
/// - 9: The first call after a refresh returns the new token.
/// - 10: A token is refused at its exact deadline.
/// - 11: No token is handed out with less than the margin left.
/// - 12: A caller may ask for more time than the margin. Others keep the old token.
/// - 13: Margin and refresh window scale with the lifetime of the token.
/// - 14: Short tokens are not fetched for every call.
/// - 15: Refreshes are spread evenly over the first half of the window, so that keys don't refresh together.
/// - 16: The same seed gives the same schedule.
///
/// ### Failures
///
/// - 17: While a refresh is due and the source is down, all callers get the old token.
/// - 18: One retry after the backoff stores the new token and resets the failure count.
/// - 19: Simultaneous callers of a source that is down share one fetch and one error.
/// - 20: Calls during the backoff fail at once with the cause and the time left.
/// - 21: The first call after the backoff fetches once.
/// - 22: A key recovers after any number of failures.
/// - 23: A failed refresh does not prevent the next call from succeeding.
/// - 24: The backoff doubles from 1 s to 60 s with equal jitter.
/// - 25: Retry-After is a minimum for the backoff, at most five minutes.
/// - 26: An expired token from the source is never handed out.
/// - 27: A source of too short or expired tokens is asked at most once a second.
/// - 28: A token without an expiry is refused unless a lifetime is assumed.
///
/// ### Cancellation
///
/// - 29: A cancelled caller returns at once and the others get the token.
/// - 30: The fetch continues after the last caller is cancelled.
/// - 31: A caller that is already cancelled starts no fetch.
/// - 32: A cancelled caller still gets a cached token.
/// - 33: The cancellation of all callers does not count as a failure.
/// - 34: A source that throws a cancellation error by itself counts as failed.
/// - 35: Every caller resumes exactly once.
/// - 36: A caller may give up at its own deadline; the token is still cached.
/// - 37: A fetch that never ends times out after 10 s.
/// - 38: The late answer of a fetch that timed out is discarded.
///
/// ### Rejections by the service
///
/// - 39: Many rejections of one token cause one fetch.
/// - 40: A rejection of a token that was already replaced is ignored.
/// - 41: The result of a fetch that began before the rejection is discarded.
/// - 42: A rejected token is not handed out again after a failed refresh.
/// - 43: Rejections of young tokens delay the next fetch by 10, 20, 40 and 60 s, because a new token would not help; a 401 does
///   so only after one new token.
/// - 44: The rejected token is not stored when the source returns it again.
/// - 45: The fourth rejection within a minute causes no fetch.
/// - 46: A denial is remembered for 30 s, doubling up to five minutes.
///
/// ### Limits and released keys
///
/// - 47: Denied IDs do not evict live keys.
/// - 48: Expired keys are evicted first, then the least recently used, never one with a waiting caller.
/// - 49: A new key fails when callers wait for every key.
/// - 50: A key that is not read is not refreshed; one that is read is.
/// - 51: A released key is not refreshed until the next call for its token.
/// - 52: At most 1000 released keys keep their tokens.
///
/// ### Clocks
///
/// - 53: A wall clock step forward costs one early refresh.
/// - 54: A wall clock step back does not prolong a token.
/// - 55: A token is refused once the wall clock passes its expiry.
/// - 56: A token that expired during a suspension is refused.
/// - 57: A token is used for its whole lifetime when the local clock is ahead.
/// - 58: No token is used past its expiry when the local clock is behind.
/// - 59: The round trip does not count as lifetime.
///
/// ### Isolation and secrecy
///
/// - 60: A token for another trip is refused and its ID is not revealed.
/// - 61: A wildcard is refused unless wildcards are allowed.
/// - 62: Keys differ by kind, spelling of the ID and audience.
/// - 63: Text that is not a token is refused.
/// - 64: No printed text contains a part of a token.
/// - 65: The bytes of a token are wiped when it is replaced or released.
/// - 66: Tokens are requested over TLS or from loopback only, and redirects are not followed.
///
/// ### Load
///
/// - 67: At most eight fetches run at once, and callers come before refreshes.
/// - 68: Any number of keys is served, and queued refreshes run in the order of expiry.
///
/// ### Events, counters and closing
///
/// - 69: Closing resumes every waiting caller once, cancels the source and ends the events.
/// - 70: A released provider is deallocated and cancels its fetch.
/// - 71: Contradictory settings are refused.
/// - 72: Events are published in order.
/// - 73: The counters add up to the number of calls.
/// - 74: The state machine agrees with a second, simple implementation of the rules.
/// - 75: A resumed caller finds the new token in the cache.
@Suite("Token table", .ends(within: .quickTest))
struct TableTests {
    @Test func `every rule has a test`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        var rows: Set<Int> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            let file = folder.appending(path: path)
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (comment, test) in zip(lines, lines.dropFirst()) where test.contains("@Test") {
                guard let mark = comment.range(of: "    // ") else { continue }
                rows.formUnion(comment[mark.upperBound...].split(separator: ", ").compactMap { Int($0) })
            }
        }
        #expect(Set(1...75).subtracting(rows).sorted() == [])
    }
}
