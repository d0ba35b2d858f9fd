// Leaves the order of the tests to `TestDeadline`.
//
// The testing library starts at most SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH tests at a time, in the order in which they ask.
// The tests of a serialized suite ask one after the other, so that each of them would wait until all others of that moment have
// run, and such suites would still run, alone, when everything else has ended. The number goes to TEST_WIDTH instead, which
// `TestDeadline` keeps in an order that has no such end.

#include <stdlib.h>

__attribute__((constructor)) static void renameWidth(void) {
    static const char name[] = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH";
    const char *width = getenv(name);
    if (width == NULL) return;
    setenv("TEST_WIDTH", width, 1);
    unsetenv(name);
}
