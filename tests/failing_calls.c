/* Fails the n-th call of a kind: input and output, entropy, or memory of one library.

   Loaded by LD_PRELOAD. Nothing fails and nothing is counted until `faults_arm` is called. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { IO = 1, ENTROPY = 2, MEMORY = 4 };

static atomic_int armed;           /* the kinds that are counted */
static atomic_long calls;          /* calls of these kinds so far */
static atomic_long failing = -1;   /* the number of the call that fails, or -1 */
static char callers[64];           /* a part of the name of the library whose memory fails */
static const char *_Atomic failed; /* the function that failed */

void faults_arm(int kinds, long number, const char *library) {
    strncpy(callers, library, sizeof callers - 1);
    atomic_store(&failed, NULL);
    atomic_store(&calls, 0);
    atomic_store(&failing, number);
    atomic_store(&armed, kinds);
}

long faults_disarm(void) {
    atomic_store(&armed, 0);
    return atomic_load(&calls);
}

const char *faults_failed(void) {
    const char *name = atomic_load(&failed);
    return name ? name : "";
}

static int fails(int kind, const char *name) {
    if (!(atomic_load(&armed) & kind)) return 0;
    if (atomic_fetch_add(&calls, 1) != atomic_load(&failing)) return 0;
    atomic_store(&failed, name);
    return 1;
}

/* Descriptors of files of the kernel, such as /proc/meminfo: no disk is behind them. */
static atomic_uchar is_kernel_file[1024];

static void note_file(int fd, const char *path) {
    if (fd >= 0 && fd < 1024)
        atomic_store(&is_kernel_file[fd], !strncmp(path, "/proc", 5) || !strncmp(path, "/sys", 4));
}

static int file_fails(int kind, int fd, const char *name) {
    return !(fd >= 0 && fd < 1024 && atomic_load(&is_kernel_file[fd])) && fails(kind, name);
}

static int path_fails(const char *path, const char *name) {
    return strncmp(path, "/proc", 5) && strncmp(path, "/sys", 4) && fails(IO, name);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRAP(result, name, parameters, arguments, is_failing)            \
    result name parameters {                                             \
        static __typeof__(&name) real;                                   \
        if (!real) real = REAL(name);                                    \
        if (is_failing) { errno = EIO; return (result)-1; }              \
        return real arguments;                                           \
    }

WRAP(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), file_fails(IO, fd, "read"))
WRAP(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), file_fails(IO, fd, "write"))
WRAP(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at), file_fails(IO, fd, "pread"))
WRAP(ssize_t, pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at), file_fails(IO, fd, "pread64"))
WRAP(off_t, lseek, (int fd, off_t to, int from), (fd, to, from), file_fails(IO, fd, "lseek"))
WRAP(off64_t, lseek64, (int fd, off64_t to, int from), (fd, to, from), file_fails(IO, fd, "lseek64"))
WRAP(int, fstat, (int fd, struct stat *to), (fd, to), file_fails(IO, fd, "fstat"))
WRAP(int, fstat64, (int fd, struct stat64 *to), (fd, to), file_fails(IO, fd, "fstat64"))
WRAP(int, stat, (const char *path, struct stat *to), (path, to), path_fails(path, "stat"))
WRAP(int, stat64, (const char *path, struct stat64 *to), (path, to), path_fails(path, "stat64"))
WRAP(int, lstat, (const char *path, struct stat *to), (path, to), path_fails(path, "lstat"))
WRAP(int, lstat64, (const char *path, struct stat64 *to), (path, to), path_fails(path, "lstat64"))
WRAP(ssize_t, getrandom, (void *to, size_t n, unsigned flags), (to, n, flags), fails(ENTROPY, "getrandom"))
WRAP(int, getentropy, (void *to, size_t n), (to, n), fails(ENTROPY, "getentropy"))

#define WRAP_OPEN(name)                                                  \
    int name(const char *path, int flags, ...) {                         \
        static int (*real)(const char *, int, ...);                      \
        if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
        va_list rest;                                                    \
        va_start(rest, flags);                                           \
        mode_t mode = va_arg(rest, mode_t);                              \
        va_end(rest);                                                    \
        if (path_fails(path, #name)) { errno = EIO; return -1; }         \
        int fd = real(path, flags, mode);                                \
        note_file(fd, path);                                             \
        return fd;                                                       \
    }

WRAP_OPEN(open)
WRAP_OPEN(open64)

/* SQLite locks its file by it. */
#define WRAP_FCNTL(name)                                                 \
    int name(int fd, int command, ...) {                                 \
        static int (*real)(int, int, ...);                               \
        if (!real) real = (int (*)(int, int, ...))dlsym(RTLD_NEXT, #name); \
        va_list rest;                                                    \
        va_start(rest, command);                                         \
        void *argument = va_arg(rest, void *);                           \
        va_end(rest);                                                    \
        if (command != F_GETFD && file_fails(IO, fd, #name)) { errno = EIO; return -1; } \
        return real(fd, command, argument);                              \
    }

WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
    static __typeof__(&mmap) real;
    if (!real) real = REAL(mmap);
    if (fd >= 0 && fails(IO, "mmap")) { errno = EIO; return MAP_FAILED; }
    return real(at, n, protection, flags, fd, offset);
}

static int find_crypto(struct dl_phdr_info *library, size_t size, void *path) {
    (void)size;
    if (!strstr(library->dlpi_name, "libcrypto")) return 0;
    *(const char **)path = library->dlpi_name;
    return 1;
}

/* OpenSSL returns 1 on success. Python loads it where RTLD_NEXT does not look. */
int RAND_bytes(unsigned char *to, int n) {
    static int (*real)(unsigned char *, int);
    if (!real) {
        const char *path = NULL;
        dl_iterate_phdr(find_crypto, &path);
        real = (int (*)(unsigned char *, int))dlsym(dlopen(path, RTLD_LAZY), "RAND_bytes");
    }
    if (fails(ENTROPY, "RAND_bytes")) return 0;
    return real(to, n);
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static int is_called_by_library(const void *address) {
    Dl_info where;
    return dladdr(address, &where) && where.dli_fname && strstr(where.dli_fname, callers);
}

#define MEMORY_FAILS(name)                                             \
    ((atomic_load(&armed) & MEMORY) &&                               \
     is_called_by_library(__builtin_return_address(0)) && fails(MEMORY, name))

void *malloc(size_t n) { return MEMORY_FAILS("malloc") ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) {
    return MEMORY_FAILS("calloc") ? NULL : __libc_calloc(n, size);
}
void *realloc(void *from, size_t n) {
    return MEMORY_FAILS("realloc") ? NULL : __libc_realloc(from, n);
}
