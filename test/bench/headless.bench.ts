import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { playPlainLoop } from './plainLoop.ts'
import { lineOf } from './scenarios.ts'
import type { BenchRow } from './tools.ts'

/** Seconds that a process took: processor time, in all its threads, and real time. */
interface Taken {
  readonly cpu: number
  readonly wall: number
}

const services = [1000, 4000, 2000].map((mean) => ({ kind: 'exponential', mean }) as const)
const line = (jobs: number) => lineOf({ jobs, seed: 7, workers: 8, services, rate: 900 })

/** The output of a process at its end. */
const tellTime = `import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)) })`

/** The process that the headless command is compared with: a loop that keeps the spans of the run. */
export function playLoop(jobs: number): void {
  playPlainLoop(line(jobs))
}

/**
 * The headless command as a separate process: its start time, and a million plain jobs with their summary as JSON
 * over a plain loop. The start, a run of one job, is subtracted from both. They alternate, and the best of each counts.
 */
export default async function headless({
  root,
  quick = false,
}: {
  readonly root: string
  readonly quick?: boolean
}): Promise<BenchRow[]> {
  const jobs = quick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'apportion-bench-'))
  const command = (many: number) => {
    const file = join(folder, `${many}.json`)
    writeFileSync(file, JSON.stringify(line(many)))
    return [join(root, 'scripts/headless.mjs'), file, '--json']
  }
  const loop = (many: number) => [
    '--input-type=module',
    '--eval',
    `(await import(${JSON.stringify(import.meta.url)})).playLoop(${many})`,
  ]
  const candidates = [command(1), command(jobs), loop(1), loop(jobs)]
  try {
    // One run without measurement: the command rebuilds itself after changes.
    timed(candidates[0])
    const [start, whole, loopStart, loopWhole] = bestOf(quick ? 1 : 5, candidates)
    const [ours, its] = [whole.cpu - start.cpu, loopWhole.cpu - loopStart.cpu]
    return [
      { name: 'headless, start (0.3)', figures: { 'processor s': start.cpu, 'wall s': start.wall } },
      {
        name: 'headless, the run and its summary',
        figures: { jobs, 'processor s': ours, 'wall s': whole.wall - start.wall, 'over the loop (2.0)': ours / its },
      },
      {
        name: 'plain loop, spans kept',
        figures: { jobs, 'processor s': its, 'wall s': loopWhole.wall - loopStart.wall, 'over the loop (2.0)': 1 },
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function bestOf(rounds: number, candidates: readonly string[][]): Taken[] {
  const best = candidates.map((): Taken => ({ cpu: Infinity, wall: Infinity }))
  for (let round = 0; round < rounds; round++) {
    candidates.forEach((words, k) => {
      const { cpu, wall } = timed(words)
      best[k] = { cpu: Math.min(best[k].cpu, cpu), wall: Math.min(best[k].wall, wall) }
    })
  }
  return best
}

/** Runs Node with these arguments and returns the time of the process. Throws if it fails. */
function timed(words: readonly string[]): Taken {
  const begin = performance.now()
  const { status, output } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(tellTime)}`, ...words],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}`)
  return { cpu: Number(output[3]) / 1e6, wall: (performance.now() - begin) / 1e3 }
}
