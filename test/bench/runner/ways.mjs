// The ways to run the same work. Each gets the inputs as an iterable and gives the results in their order.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import workerpool from 'workerpool'
import { carry, works } from './work.mjs'

/** At most this many inputs are inside, under each of the ways. What is inside must be worth a set-up. */
const insideOf = ({ few }) => (few === undefined ? 256 : 2048)
const CHUNK = 50
/** As many as a pool a stage has, where a set-up keeps a thread at its stage. */
const threadsFor = ({ few, stages }) => Math.max(2, availableParallelism(), few === undefined ? 0 : stages.length)

const fileOf = (name) => new URL(name, import.meta.url).href

/** By name: makes what runs a work. `run` returns an async iterable of the results. `few`: it pays a set-up at every job. */
export const ways = {
  'one thread': { make: oneThread },
  'workerpool, a job a task': { few: true, make: workerpoolOf },
  'piscina, a job a task': { few: true, make: (name) => piscina(name, 1) },
  'piscina, 50 jobs a task': { make: (name) => piscina(name, CHUNK) },
  'piscina, a pool a stage': { make: poolAStage },
  'ours, leastScore': { ours: true, make: (name, files) => ours(name, files, 'leastScore') },
  'ours, switchAware': { ours: true, make: (name, files) => ours(name, files, 'switchAware') },
}

function oneThread(name) {
  const { stages, few } = works[name]
  return {
    async *run(inputs, run) {
      // Where a change of stage costs, as many as may be inside go through one stage after the other.
      if (few !== undefined)
        for (const values of chunksOf(inputs, insideOf(works[name]))) yield* carry(name, values, 0, stages.length, run)
      else for (const input of inputs) yield carry(name, [input], 0, stages.length, run)[0]
    },
    end() {},
  }
}

function piscina(name, size) {
  const threads = threadsFor(works[name])
  const pool = new Piscina({ filename: fileOf('poolThread.mjs'), minThreads: threads, maxThreads: threads })
  const to = works[name].stages.length
  return {
    run: (inputs, run) =>
      limited(
        chunksOf(inputs, size),
        (values) => pool.run({ name, values, from: 0, to, run }),
        insideOf(works[name]) / size,
      ),
    end: () => pool.destroy(),
  }
}

/** A thread for each stage, however long the stages take: that is not known before. */
function poolAStage(name) {
  const pools = works[name].stages.map(
    () => new Piscina({ filename: fileOf('poolThread.mjs'), minThreads: 1, maxThreads: 1 }),
  )
  return {
    run: (inputs, run) =>
      limited(
        chunksOf(inputs, 1),
        async (values) => {
          let passed = values
          for (const [s, pool] of pools.entries())
            passed = await pool.run({ name, values: passed, from: s, to: s + 1, run })
          return passed
        },
        insideOf(works[name]),
      ),
    end: () => Promise.all(pools.map((pool) => pool.destroy())),
  }
}

function workerpoolOf(name) {
  const threads = threadsFor(works[name])
  const pool = workerpool.pool(new URL('workerpoolThread.mjs', import.meta.url).pathname, {
    workerType: 'thread',
    minWorkers: threads,
    maxWorkers: threads,
  })
  const to = works[name].stages.length
  return {
    run: (inputs, run) =>
      limited(
        chunksOf(inputs, 1),
        (values) => pool.exec('carry', [{ name, values, from: 0, to, run }]),
        insideOf(works[name]),
      ),
    end: () => pool.terminate(true),
  }
}

async function ours(name, { runner, worker }, policy) {
  const { createPipeline } = await import(runner)
  const { stages } = works[name]
  const pipeline = createPipeline({
    worker: () => new Worker(new URL('ourThread.mjs', import.meta.url), { workerData: { worker, name } }),
    stages: stages.map(({ name: id, setUp }) => ({ id, ...(setUp !== undefined && { setUp: `${id}SetUp` }) })),
    workers: threadsFor(works[name]),
    policy,
    highWaterMark: insideOf(works[name]),
  })
  return { run: (inputs) => pipeline.run(inputs), advice: () => pipeline.stats().advice, end: () => pipeline.close() }
}

function* chunksOf(inputs, size) {
  let chunk = []
  for (const input of inputs) {
    chunk.push(input)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** Runs at most this many chunks at once and gives their results in order. */
async function* limited(chunks, call, most) {
  const running = []
  for (const chunk of chunks) {
    running.push(call(chunk))
    if (running.length >= most) yield* await running.shift()
  }
  for (const results of running) yield* await results
}
