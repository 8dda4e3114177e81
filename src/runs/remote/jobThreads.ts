import { transfer } from 'comlink'
import { t } from '../../language/translate.ts'
import type { JobInput, JobKind, JobResult, JobRunner } from './jobs.ts'
import { openThread, type PageThread } from './thread.ts'

/** Threads that work on jobs, one job at a time each. A job that finds no thread free waits its turn. */
export interface JobThreads {
  /** Rejects with `Cancelled` after `end`, and with an Error for users if anything else goes wrong. */
  run<K extends JobKind>(kind: K, input: JobInput<K>, progress?: (share: number) => void): Promise<JobResult<K>>
  /** Ends all threads. No progress is reported after that. */
  end(): void
}

export interface JobOptions {
  /** Called with the share that is done, 0 to 1, until the result is there. */
  readonly progress?: (share: number) => void
  /** Aborting it ends the threads; the job then rejects with `Cancelled`. */
  readonly signal?: AbortSignal
}

export class Cancelled extends Error {}

/** More threads would not make a page faster, and cost it memory. */
const MAX_THREADS = 8

/** Opens up to `most` threads, each when it is first needed. */
export function openJobThreads(most = cores(), signal?: AbortSignal): JobThreads {
  const all = new Set<PageThread<JobRunner>>()
  const free: PageThread<JobRunner>[] = []
  const waiting: (() => void)[] = []
  let ended = false

  async function nextThread(): Promise<PageThread<JobRunner>> {
    // Another job may have taken the thread in between.
    while (!ended && free.length === 0 && all.size === most) await new Promise<void>((turn) => waiting.push(turn))
    if (ended) throw new Cancelled()
    const thread =
      free.pop() ??
      openThread<JobRunner>(
        new Worker(new URL('../../simulation.worker.ts', import.meta.url), { type: 'module', name: 'jobs' }),
      )
    all.add(thread)
    return thread
  }

  function end(): void {
    ended = true
    for (const thread of all) thread.end('cancelled')
    for (const turn of waiting.splice(0)) turn()
    signal?.removeEventListener('abort', end)
  }

  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  return {
    async run(kind, input, progress) {
      const thread = await nextThread()
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }: MessageEvent<number>) => progress?.(data)
      const answer = await thread.calls.ask(Infinity, () => thread.remote.runJob(kind, input, transfer(port2, [port2])))
      // Progress is sent through a port of its own and may arrive after the result.
      port1.onmessage = null
      port1.close()
      if (ended) throw new Cancelled()
      if (answer.kind === 'gone') all.delete(thread)
      else free.push(thread)
      waiting.shift()?.()
      if (answer.kind === 'answered') return answer.value as JobResult<typeof kind>
      throw new Error(answer.kind === 'silent' ? t('a thread of the page does not answer') : answer.reason)
    },
    end,
  }
}

/** Runs one job on a thread of its own, which ends with it. */
export async function runJob<K extends JobKind>(
  kind: K,
  input: JobInput<K>,
  { progress, signal }: JobOptions = {},
): Promise<JobResult<K>> {
  const threads = openJobThreads(1, signal)
  return threads.run(kind, input, progress).finally(threads.end)
}

/** Runs many jobs of one kind on all cores, in the order of the list. `answer` gets each result, with its place in the list. */
export async function runJobs<K extends JobKind>(
  kind: K,
  inputs: readonly JobInput<K>[],
  { answer, progress = () => {}, signal }: JobOptions & { answer(k: number, result: JobResult<K>): void },
): Promise<void> {
  const shares = inputs.map(() => 0)
  const threads = openJobThreads(cores(), signal)
  const report = (k: number, share: number) => {
    shares[k] = Math.max(shares[k], share)
    progress(shares.reduce((sum, each) => sum + each, 0) / shares.length)
  }
  const run = async (input: JobInput<K>, k: number) => {
    answer(k, await threads.run(kind, input, (share) => report(k, share)))
    report(k, 1)
  }
  await Promise.all(inputs.map(run)).finally(threads.end)
}

function cores(): number {
  return Math.min(MAX_THREADS, navigator.hardwareConcurrency || 2)
}
