import { setFlagsFromString } from 'node:v8'

/**
 * Call before anything else is loaded. By default V8 keeps up to 128 MB for young objects and lets old ones double before it collects; with
 * 1,000 senders at once, small heaps are as fast (docs/decisions/0016-memory-is-given-back.md). Threads started later inherit the setting.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--max-semi-space-size=4')
  setFlagsFromString('--memory-saver-mode')
}
