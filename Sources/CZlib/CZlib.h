// The decompressor of Debian's zlib1g-dev.
#include <zlib.h>

// `inflateInit2` is a macro, which Swift does not import.
static inline int tripshare_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
