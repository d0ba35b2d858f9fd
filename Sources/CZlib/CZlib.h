// The compression of Debian's zlib1g-dev.
#include <zlib.h>

// `inflateInit2` and `deflateInit2` are macros, which Swift does not import.
static inline int tripshare_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

// 9 is the memory level of the fastest compression.
static inline int tripshare_deflate_init(z_stream *stream, int window_bits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY);
}
