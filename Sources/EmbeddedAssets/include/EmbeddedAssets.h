#ifndef EMBEDDED_ASSETS_H
#define EMBEDDED_ASSETS_H

#include <stddef.h>

/// A file of `Assets` that is part of the program.
struct embedded_asset {
    /// Its path in `Assets`, such as `Scenarios/tunnel.yaml`.
    const char *path;
    /// Its content, which is valid as long as the process runs and ends without a zero.
    const unsigned char *bytes;
    size_t count;
};

/// The number of embedded files.
size_t embedded_asset_count(void);

/// An embedded file by its index in the order of the paths; `NULL` behind the last.
const struct embedded_asset *embedded_asset_at(size_t index);

/// An embedded file by its path; `NULL` if it is not embedded.
const struct embedded_asset *embedded_asset_named(const char *path);

#endif
