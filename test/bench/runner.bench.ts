import { fork } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, cache } from '../../scripts/bundle.mjs'
import { type BenchRow, type Tools, valueAt } from './tools.ts'

interface Measured {
  readonly given: number
  readonly perSecond: number
  readonly p99: number
  /** Processor time of the process with its threads, in microseconds a job: other work hardly changes it. */
  readonly processor: number
  readonly megabytes: number
  readonly digest: string
  readonly digestOfFew: string
  readonly advice: string | null
}
type Answer = Measured | { readonly problem: string }
type Works = Readonly<Record<string, { readonly about: string; readonly jobs: number; readonly few?: number }>>
type Ways = Readonly<Record<string, { readonly few?: boolean; readonly ours?: boolean }>>

/** Repetitions in which all ways take turns, since the machine is never quiet. `--rounds=5` plays another number. */
const ROUNDS = 3

/**
 * The runner against pools of threads and one thread, at the same work. Each run has a process of its own, since it is asked for its peak of memory.
 * Throughput is the median of the rounds; the spread is from the slowest to the fastest. Results and their order are compared everywhere.
 */
export default async function runner({ root, quick }: Tools): Promise<BenchRow[]> {
  const folder = join(root, 'test/bench/runner')
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href)
  const { works, calibrated }: { works: Works; calibrated(): number } = await load('work.mjs')
  const { ways }: { ways: Ways } = await load('ways.mjs')
  const out = join(cache, 'bench', 'runner')
  await bundle(join(root, 'src/runner.ts'), out, 'runner.mjs')
  await bundle(join(root, 'src/runnerWorker.ts'), out, 'worker.mjs')
  const files = {
    runner: pathToFileURL(join(out, 'runner.mjs')).href,
    worker: pathToFileURL(join(out, 'worker.mjs')).href,
  }
  const env = { ...process.env, APPORTION_BURN: String(quick ? 2000 : calibrated()) }
  // `npm run bench -- runner --works=lines,tiny` plays some of them.
  const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const chosen = option('works')?.split(',')
  const rounds = quick ? 1 : Number(option('rounds') ?? ROUNDS)
  const rows: BenchRow[] = []
  for (const [name, { about, jobs, few }] of Object.entries(works)) {
    if (chosen !== undefined && !chosen.includes(name)) continue
    const measured = new Map<string, Measured[]>(Object.keys(ways).map((way) => [way, []]))
    const [all, checked] = quick ? [few ?? 50, few ?? 0] : [jobs, few ?? 0]
    for (let round = 0; round < rounds; round++)
      for (const [way, found] of measured) {
        const asked = few !== undefined && ways[way].few ? few : all
        const answer = await play(join(folder, 'child.mjs'), env, { way, name, jobs: asked, checked, files })
        if ('problem' in answer) throw new Error(`${name}, ${way}: ${answer.problem}`)
        if (answer.given !== asked) throw new Error(`${name}, ${way}: ${answer.given} results of ${asked}`)
        found.push(answer)
      }
    checkResults(name, measured, all)
    const speeds = new Map([...measured].map(([way, found]) => [way, median(found, 'perSecond')]))
    const bestPool = Math.max(
      ...[...speeds].map(([way, speed]) => (ways[way].ours || way === 'one thread' ? 0 : speed)),
    )
    console.log(`  ${name}: ${about}`)
    for (const [way, found] of measured) {
      const speed = speeds.get(way) ?? 0
      const all = found.map(({ perSecond }) => perSecond)
      rows.push({
        name: `${name}, ${way}`,
        figures: {
          'jobs a second': speed,
          spread: `${percent(Math.min(...all) / speed)} to ${percent(Math.max(...all) / speed)}`,
          'of the best pool': speed / bestPool,
          'of one thread': speed / (speeds.get('one thread') ?? Number.NaN),
          'processor us a job': median(found, 'processor'),
          'p99 inside, ms': median(found, 'p99'),
          'peak memory, MB': median(found, 'megabytes'),
        },
      })
      const advice = found.find((one) => one.advice !== null)?.advice
      if (advice) console.log(`  ${name}, ${way}: ${advice}`)
    }
  }
  return rows
}

function play(child: string, env: NodeJS.ProcessEnv, asked: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const process = fork(child, { env })
    process.once('message', (answer) => resolve(answer as Answer))
    process.once('error', reject)
    process.once('exit', (code) => reject(new Error(`the process of ${JSON.stringify(asked)} ended with code ${code}`)))
    process.send(asked)
  })
}

/** Throws unless all ways gave the same results in the same order. */
function checkResults(name: string, measured: ReadonlyMap<string, readonly Measured[]>, all: number): void {
  const whole = [...measured.values()].flat()
  const digests = [
    new Set(whole.filter(({ given }) => given === all).map(({ digest }) => digest)),
    new Set(whole.map(({ digestOfFew }) => digestOfFew)),
  ]
  if (digests.some(({ size }) => size !== 1)) throw new Error(`${name}: results or their order differ`)
}

function median(found: readonly Measured[], figure: 'perSecond' | 'processor' | 'p99' | 'megabytes'): number {
  return valueAt(
    found.map((one) => one[figure]),
    0.5,
  )
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
