/// How often a test does the same thing with other numbers: a tenth as often under the thread sanitizer.
///
/// There each step takes some twenty times as long, and a hundred runs show more than long ones.
func repetitions(_ count: Int) -> Int {
    #if THREAD_SANITIZER
    count / 10
    #else
    count
    #endif
}
