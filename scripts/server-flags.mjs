// How the server's Node is started: `npm start`, tests and benches do it alike. Both are about memory: docs/decisions/0016-memory-is-given-back.md.

/**
 * Node would keep up to 128 MB for young objects and let the old ones double before it looks for dead ones; measured with 1,000 senders at
 * once, this does as well. With `gc` the server says itself when dead messages stand in memory that V8 does not count (server/gc-hint.ts).
 */
export const serverFlags = ['--max-semi-space-size=4', '--memory-saver-mode', '--expose-gc']

/**
 * glibc keeps what is freed once a large block was freed, up to 64 MB for each of up to 16 arenas; with fixed thresholds it gives it back.
 * Other systems do not read these.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' }
