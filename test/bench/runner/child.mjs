// Runs one work in one way, in a process of its own, and sends what it measured. Started by runner.bench.ts.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { ways } from './ways.mjs'
import { works } from './work.mjs'

/** How long code runs before it is measured, in milliseconds. */
const WARM_UP = 3000

process.on('message', async (asked) => {
  try {
    process.send(await measure(asked))
  } catch (error) {
    process.send({ problem: error instanceof Error ? error.message : String(error) })
  }
  process.disconnect()
})

async function measure({ way, name, jobs, checked, files }) {
  const { input } = works[name]
  const { run, end, advice } = await ways[way].make(name, files)
  const inputs = Array.from({ length: jobs }, (_, k) => input(k))
  // Threads start and code is compiled before the clock runs: V8 optimises ours, which is longer, later than a pool's. A new run finds no thread set up.
  const warm = works[name].few === undefined ? inputs : inputs.slice(0, Math.ceil(jobs / 50))
  let runs = 0
  for (const until = performance.now() + WARM_UP; runs === 0 || (warm === inputs && performance.now() < until); runs++)
    for await (const _ of run(warm, runs));
  const entered = new Float64Array(jobs)
  const inside = new Float64Array(jobs)
  const digest = createHash('sha256')
  let digestOfFew = ''
  let taken = 0
  let given = 0
  function* source() {
    for (const value of inputs) {
      entered[taken++] = performance.now()
      yield value
    }
  }
  const used = process.cpuUsage()
  const began = performance.now()
  for await (const result of run(source(), runs)) {
    inside[given] = performance.now() - entered[given]
    digest.update(result instanceof Uint8Array ? result : String(result))
    if (++given === checked) digestOfFew = digest.copy().digest('hex')
  }
  const took = performance.now() - began
  const { user, system } = process.cpuUsage(used)
  const found = {
    given,
    perSecond: (jobs / took) * 1000,
    processor: (user + system) / jobs,
    p99: inside.sort()[Math.floor(0.99 * (jobs - 1))],
    megabytes: peakOfMemory(),
    digestOfFew,
    digest: digest.digest('hex'),
    advice: advice?.() ?? null,
  }
  await end()
  return found
}

/** Returns the most memory that this process held, in megabytes. Linux counts the parent in `resourceUsage`, so its own file is read. */
function peakOfMemory() {
  const file = '/proc/self/status'
  const kilobytes = existsSync(file)
    ? Number(/VmHWM:\s*(\d+)/.exec(readFileSync(file, 'utf8'))?.[1])
    : process.resourceUsage().maxRSS
  return kilobytes / 1024
}
