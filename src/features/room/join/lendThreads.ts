import { pageEnvironment } from '../../../engine/threads/pageEnvironment.ts'
import { startWorkerThread } from '../../../engine/threads/workerThread.ts'
import { lend } from '../protocol/lender.ts'
import type { Lend } from './joining.ts'

/** Lends module workers of this page. */
export const lendThreads: Lend = (carrier, device, changed) =>
  lend(carrier, { ...device, build: buildOfPage(), lacks: lacking(), start: startWorkerThread(), every: pageEnvironment().every }, changed)

/** Returns the name of the script that this page runs, which changes with each build. */
function buildOfPage(): string {
  return new URL(import.meta.url).pathname.split('/').pop() ?? ''
}

/** Returns what this browser lacks that other workers have, by the names of the platform. A page on plain http has none of it. */
function lacking(): string[] {
  const there = { 'crypto.subtle': globalThis.crypto?.subtle, 'navigator.locks': navigator.locks, SharedArrayBuffer: globalThis.SharedArrayBuffer }
  return Object.entries(there).flatMap(([name, value]) => (value === undefined ? [name] : []))
}
