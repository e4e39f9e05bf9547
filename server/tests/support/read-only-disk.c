/*
 * Put in front of the C library with LD_PRELOAD: while the file READ_ONLY_WHILE is there, the file system of the folder
 * READ_ONLY_FOLDER is read-only, also for what is already open. That is what Linux makes of a disk with errors.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int within(const char *path) {
  const char *folder = getenv("READ_ONLY_FOLDER"), *flag = getenv("READ_ONLY_WHILE");
  if (folder == NULL || flag == NULL || access(flag, F_OK) != 0) return 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return 0;
  errno = EROFS;
  return 1;
}

static int open_within(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return within(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define OF_FD(result, name, parameters, fd, arguments) \
  result name parameters { return open_within(fd) ? -1 : REAL(name) arguments; }
#define OF_PATH(name, parameters, path, arguments) \
  int name parameters { return within(path) ? -1 : REAL(name) arguments; }

OF_FD(ssize_t, write, (int fd, const void *from, size_t size), fd, (fd, from, size))
OF_FD(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), fd, (fd, from, size, at))
OF_FD(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), fd, (fd, from, size, at))
OF_FD(ssize_t, writev, (int fd, const struct iovec *from, int count), fd, (fd, from, count))
OF_FD(int, ftruncate, (int fd, off_t size), fd, (fd, size))
OF_FD(int, ftruncate64, (int fd, off64_t size), fd, (fd, size))
OF_PATH(rename, (const char *from, const char *to), from, (from, to))
OF_PATH(unlink, (const char *path), path, (path))

#define OPEN(name)                                                                    \
  int name(const char *path, int flags, ...) {                                        \
    va_list rest;                                                                     \
    va_start(rest, flags);                                                            \
    mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;                       \
    va_end(rest);                                                                     \
    if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) && within(path)) return -1;           \
    return REAL(name)(path, flags, mode);                                             \
  }
OPEN(open)
OPEN(open64)
