/* Preloaded into a process: writes down every write, truncation and sync of mail.db and its log, and fails syncs while $FAIL_SYNCS exists. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;

/* 0: mail.db, 1: its log, -1: anything else */
static int fileOf(int fd) {
  char link[64] = "/proc/self/fd/", path[4096];
  char digits[16];
  int n = 0, value = fd;
  do digits[n++] = '0' + value % 10; while (value /= 10);
  size_t at = strlen(link);
  while (n) link[at++] = digits[--n];
  link[at] = 0;
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 8) return -1;
  path[length] = 0;
  if (!strcmp(path + length - 8, "/mail.db")) return 0;
  return length > 12 && !strcmp(path + length - 12, "/mail.db-wal") ? 1 : -1;
}

static void note(char op, int file, uint64_t offset, uint64_t length, const void *data) {
  struct __attribute__((packed)) { char op; char file; uint64_t offset, length; } head = { op, (char)file, offset, length };
  ssize_t (*put)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  pthread_mutex_lock(&lock);
  if (journal < 0) journal = open(getenv("WRITE_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  put(journal, &head, sizeof head);
  if (data) put(journal, data, length);
  pthread_mutex_unlock(&lock);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  int file = fileOf(fd);
  ssize_t written = real(fd, data, length, offset);
  if (file >= 0 && written > 0) note('w', file, offset, written, data);
  return written;
}

int ftruncate64(int fd, off64_t length) {
  int (*real)(int, off64_t) = dlsym(RTLD_NEXT, "ftruncate64");
  int file = fileOf(fd);
  if (file >= 0) note('t', file, length, 0, 0);
  return real(fd, length);
}

static int synced(int fd, const char *name) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  int file = fileOf(fd);
  if (file < 0) return real(fd);
  if (!access(getenv("FAIL_SYNCS"), F_OK)) {
    note('f', file, 0, 0, 0);
    errno = EIO;
    return -1;
  }
  note('s', file, 0, 0, 0);
  return real(fd);
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }
