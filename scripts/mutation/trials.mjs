// Tries mutants in several processes, each with the tests that reach it only.
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('child.mjs', import.meta.url))

/** Opens the processes and runs every test once without a mutant, to learn what it reaches. */
export async function openTrials(scripts) {
  const crew = await Promise.all(Array.from({ length: availableParallelism() }, () => createWorker(scripts)))
  const measured = []
  await share(
    crew,
    scripts.map((_, at) => at),
    async (worker, at) => {
      const answer = await worker.ask({ measure: at }, 600_000)
      if (answer === null) throw new Error(`The tests of ${scripts[at].name} end their process.`)
      measured[at] = answer.measured
    },
  )
  const left = measured.flatMap(({ at, tests }) =>
    tests.filter(({ error }) => error !== null).map(({ name, error }) => `${scripts[at].name}: ${name}\n    ${error}`),
  )
  if (left.length > 0) console.log(`These tests fail without a mutant and are left out:\n  ${left.join('\n  ')}`)
  return {
    run: (mutants, files, known, report) => run(crew, measured, mutants, files, known, report),
    close: () => {
      for (const worker of crew) worker.end()
    },
  }
}

async function run(crew, measured, mutants, scripts, known, report) {
  const { runs, loads } = reachOf(measured)
  const all = hashOf(scripts.map(({ stamp }) => stamp))
  const todo = []
  for (const mutant of mutants) {
    const before = known[mutant.key]
    if (before && isStill(before, scripts, all)) report(mutant, before)
    else if (!runs.has(mutant.id) && !loads.has(mutant.id)) report(mutant, { end: 'unreached', by: null, stamp: all })
    else todo.push(mutant)
  }
  let done = 0
  const began = performance.now()
  await share(crew, todo, async (worker, mutant) => {
    const own = (runs.get(mutant.id) ?? []).sort((a, b) => a[2] - b[2])
    const files = (loads.get(mutant.id) ?? []).map((at) => [at, orderOf(measured[at])]).sort((a, b) => timeOf(a[1]) - timeOf(b[1]))
    const time = own.reduce((sum, [, , ms]) => sum + ms, 0) + files.reduce((sum, [, order]) => sum + timeOf(order), 0)
    const answer = await worker.ask({ id: mutant.id, runs: own, loads: files }, 30_000 + 4 * time)
    const { end, by } = answer?.tried ?? { end: 'late', by: null }
    report(mutant, { end, by: by === null ? null : `${scripts[by[0]].name}: ${by[1]}`, stamp: by === null ? all : scripts[by[0]].stamp })
    if (++done % 200 === 0) console.error(`${done} of ${todo.length} mutants tried, ${((performance.now() - began) / done).toFixed(0)} ms each`)
  })
}

/** A caught mutant stays caught while the file that caught it is made of the same sources, another result while none has changed. */
function isStill({ by, stamp }, scripts, all) {
  return by === null ? stamp === all : scripts.some((script) => by.startsWith(`${script.name}: `) && script.stamp === stamp)
}

function reachOf(measured) {
  const runs = new Map()
  const loads = new Map()
  const add = (map, id, what) => map.set(id, [...(map.get(id) ?? []), what])
  for (const { at, atLoad, tests } of measured) {
    for (const id of atLoad) add(loads, id, at)
    tests.forEach(({ ms, error, reached }, test) => {
      if (error === null) for (const [id, times] of reached) add(runs, id, [at, test, ms, times])
    })
  }
  return { runs, loads }
}

/** The tests of a file that passed, the fastest first. */
function orderOf({ tests }) {
  return tests
    .map(({ ms, error }, test) => [test, ms, error])
    .filter(([, , error]) => error === null)
    .sort((a, b) => a[1] - b[1])
    .map(([test, ms]) => [test, ms])
}

function timeOf(order) {
  return order.reduce((sum, [, ms]) => sum + ms, 0)
}

function hashOf(texts) {
  return createHash('sha256').update(texts.join(' ')).digest('hex').slice(0, 16)
}

/** Each worker takes the next piece of work when it is through with one. */
async function share(crew, pieces, work) {
  let next = 0
  await Promise.all(
    crew.map(async (worker) => {
      while (next < pieces.length) await work(worker, pieces[next++])
    }),
  )
}

/** A process that answers one question at a time. One that ends, or is silent for too long, gives null, and another takes its place. */
async function createWorker(scripts) {
  let process_ = await begin()
  async function begin() {
    const started = fork(child, { execArgv: ['--max-old-space-size=1500'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    await new Promise((resolve, reject) => {
      started.once('message', resolve)
      started.once('exit', () => reject(new Error('A process for tests could not be started.')))
    })
    started.removeAllListeners('exit')
    started.send({ scripts: scripts.map(({ script }) => script) })
    return started
  }
  return {
    async ask(question, patience) {
      const asked = process_
      const answer = await new Promise((resolve) => {
        const timer = setTimeout(() => asked.kill('SIGKILL'), patience)
        const settle = (value) => {
          clearTimeout(timer)
          asked.removeAllListeners()
          resolve(value)
        }
        asked.once('message', settle)
        asked.once('exit', () => settle(null))
        asked.send(question)
      })
      if (answer === null) process_ = await begin()
      return answer
    },
    end: () => process_.kill(),
  }
}
