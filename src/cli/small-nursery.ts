import { setFlagsFromString } from 'node:v8';

/**
 * For a process that stays: V8 doubles the space for young objects up to 64 MB at the first rush of work, and never gives it back. What has
 * been loaded by now has made it large enough.
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
