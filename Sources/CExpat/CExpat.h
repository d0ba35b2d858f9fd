// The XML parser of Debian's libexpat1-dev.
#include <expat.h>
