/*
 * Put in front of the C library with LD_PRELOAD: every fsync and fdatasync of the process, of SQLite and of Node alike,
 * takes SLOW_FSYNC_MS longer, and is counted in the first 8 bytes of the file SLOW_FSYNC_COUNT.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long long *count;
static struct timespec delay;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("SLOW_FSYNC_COUNT"), *ms = getenv("SLOW_FSYNC_MS");
  if (file == NULL || ms == NULL) return;
  delay.tv_sec = atoi(ms) / 1000;
  delay.tv_nsec = (atoi(ms) % 1000) * 1000000L;
  int fd = open(file, O_RDWR);
  if (fd < 0) return;
  void *page = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page != MAP_FAILED) count = page;
  close(fd);
}

static int slow(long call, int fd) {
  if (count != NULL) __sync_fetch_and_add(count, 1);
  nanosleep(&delay, NULL);
  return (int)syscall(call, fd);
}

int fsync(int fd) { return slow(SYS_fsync, fd); }
int fdatasync(int fd) { return slow(SYS_fdatasync, fd); }
