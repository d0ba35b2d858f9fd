#ifndef CTESTTHREADS_H
#define CTESTTHREADS_H

/// Has no functions: the target runs before `main`.

#endif
