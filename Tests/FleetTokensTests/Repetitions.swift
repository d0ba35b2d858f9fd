/// The number of repetitions of a test: a tenth of them under the thread sanitizer.
///
/// A step takes about 20 times as long there, and short runs already show data races.
func repetitions(_ count: Int) -> Int {
    #if THREAD_SANITIZER
    count / 10
    #else
    count
    #endif
}
