// The function of the header is part of libFuzzer.
#include "CFuzzer.h"
