// Gives the tasks of the tests more threads than there are processors.
//
// The Swift runtime has as many threads as processors. On a machine with two, two tests that compute for half a minute hold
// up every other test for as long, so that time limits of other tests expire although nothing hangs. With more threads the
// operating system divides the processors among all tests.
//
// Linux only: the runtime of macOS has threads of its own for each priority.

#include "CTestThreads.h"

#ifdef __linux__

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT_CALL __attribute__((swiftcall))

/// The number of threads: those of a small machine, and as many for tests that wait.
enum { threadCount = 6 };

/// A job of the Swift runtime. The runtime reserves the two words after the header for the executor that holds it.
typedef struct Job {
    void *header[2];
    struct Job *next;
    void *reserved;
} Job;

typedef SWIFT_CALL void (*Enqueue)(Job *);
typedef SWIFT_CALL void (*Hook)(Job *, Enqueue);

/// What the runtime calls instead of its own threads, if it is set.
extern Hook swift_task_enqueueGlobal_hook;
/// Runs a job on the current thread, for the generic executor if both words are 0.
extern SWIFT_CALL void swift_job_run(Job *job, void *identity, uintptr_t implementation);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t isFilled = PTHREAD_COND_INITIALIZER;
static pthread_once_t started = PTHREAD_ONCE_INIT;
static Job *first, *last;

static void *run(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == NULL) pthread_cond_wait(&isFilled, &lock);
        Job *job = first;
        first = job->next;
        if (first == NULL) last = NULL;
        pthread_mutex_unlock(&lock);
        swift_job_run(job, NULL, 0);
    }
    return unused;
}

static void start(void) {
    for (int index = 0; index < threadCount; index++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, NULL) != 0) abort();
        pthread_detach(thread);
    }
}

static SWIFT_CALL void enqueue(Job *job, Enqueue original) {
    (void)original;
    pthread_once(&started, start);
    job->next = NULL;
    pthread_mutex_lock(&lock);
    if (last == NULL) first = job; else last->next = job;
    last = job;
    pthread_cond_signal(&isFilled);
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void install(void) { swift_task_enqueueGlobal_hook = enqueue; }

#endif
