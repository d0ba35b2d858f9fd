// The database of Debian's libsqlite3-dev.
#include <sqlite3.h>
