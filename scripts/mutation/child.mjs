// Runs tests with one mutant switched on, in a process of its own: some mutants loop for ever or use up the memory.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import vm from 'node:vm'
import { createCollector, runTest } from './collect.mjs'

const NOBODY = -1
/** A test that takes at most this many milliseconds is run again without the mutant that it caught. */
const QUICK = 50

const switches = {
  active: NOBODY,
  /** How often the active mutant was reached, and after how many times it is taken to run in circles. */
  hits: 0,
  limit: Infinity,
  cover: undefined,
  hit() {
    if (++this.hits > this.limit) throw new Error('The mutant runs in circles.')
    return true
  },
}
globalThis.mutation_9fa48 = switches

// vitest asks for the state of its own worker when it is imported.
globalThis.__vitest_worker__ = { config: {}, ctx: {}, rpc: {}, environment: { name: 'node' }, metaEnv: {}, providedContext: {}, durations: {} }
const { expect, vi } = await import('vitest')
expect.poll = poll
const require = createRequire(import.meta.url)
require('fast-check').configureGlobal({ seed: 1 })

process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})
for (const name of ['log', 'warn', 'error', 'info']) console[name] = () => {}

let scripts = []
const compiled = []
const files = []
/** The test that caught the mutant before. */
let caughtBefore = null

process.on('message', async (message) => {
  if (message.scripts) scripts = message.scripts
  else if (message.measure !== undefined) process.send({ measured: await measure(message.measure) })
  else process.send({ tried: await tryOut(message) })
})

/** Returns which mutants each test of a file reaches, and when it is loaded, and how long the tests take. */
async function measure(at) {
  let counts = new Map()
  switches.cover = (...ids) => {
    for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  try {
    const file = fresh(at)
    const atLoad = [...counts.keys()]
    const tests = []
    for (const test of file) {
      counts = new Map()
      const began = performance.now()
      const error = await failure(test, NOBODY, 600_000, Infinity)
      tests.push({ name: test.name, ms: performance.now() - began, error, reached: [...counts] })
    }
    return { at, atLoad, tests }
  } finally {
    switches.cover = undefined
  }
}

/** Tries one mutant: first the tests that reach it, then whole files that reach it when they are loaded. */
async function tryOut({ id, runs, loads }) {
  for (const [at, test, ms, times] of runs) {
    const limit = 10_000 + 100 * times
    const patience = 1000 + 3 * ms
    let error = await failure(open(at)[test], id, patience, limit)
    // What an earlier run has left in memory can hide a mutant, or fail a test that has nothing against it. A busy machine makes tests late.
    const hidden = error === null && switches.hits === 0
    const doubtful = error !== null && (ms <= QUICK || caughtBefore === `${at} ${test}`) && (await failure(open(at)[test], NOBODY, patience, Infinity)) !== null
    if (hidden || doubtful || error === 'late') {
      fresh(at)
      error = await failure(files[at][test], id, error === 'late' ? 3 * patience : patience, limit)
    }
    if (error === null) continue
    caughtBefore = `${at} ${test}`
    if (error === 'late') files[at] = undefined
    return { id, end: error === 'late' ? 'late' : 'caught', by: [at, files[at]?.[test].name ?? ''] }
  }
  for (const [at, order, tests] of loads) {
    const outcome = await tryFile(id, at, order, tests)
    files[at] = undefined
    if (outcome !== null) return { id, ...outcome }
  }
  return { id, end: 'survived', by: null }
}

/** Loads a file with a mutant and runs its tests in this order. Without a mutant it has this many. */
async function tryFile(id, at, order, count) {
  Object.assign(switches, { active: id, hits: 0, limit: 1e6 })
  let tests
  try {
    tests = fresh(at, 60_000)
  } catch {
    return { end: 'caught', by: [at, 'cannot be loaded'] }
  } finally {
    switches.active = NOBODY
  }
  if (tests.length !== count) return { end: 'caught', by: [at, 'has other tests'] }
  for (const [test, ms] of order) {
    const error = await failure(tests[test], id, 1000 + 3 * ms, 1e8)
    if (error !== null) return { end: error === 'late' ? 'late' : 'caught', by: [at, tests[test].name] }
  }
  return null
}

const starter = new vm.Script('globalThis.startTest_9fa48()')

/** Runs a test with a mutant. Returns null if it passes, `late` if it takes longer than this many milliseconds, or its error. */
async function failure(test, id, patience, limit) {
  let timer
  Object.assign(switches, { active: id, hits: 0, limit })
  try {
    globalThis.startTest_9fa48 = () => runTest(test)
    const running = starter.runInThisContext({ timeout: Math.ceil(patience) })
    if (running instanceof Promise) {
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, patience, 'late')
      })
      if ((await Promise.race([running, late])) === 'late') return 'late'
    }
    return null
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'late'
    return String(error?.message ?? error).slice(0, 300)
  } finally {
    clearTimeout(timer)
    switches.active = NOBODY
    vi.useRealTimers()
  }
}

function open(at) {
  return files[at] ?? fresh(at)
}

/** Loads a test file again, with modules of its own. */
function fresh(at, patience = 600_000) {
  compiled[at] ??= new vm.Script(`(function (require, module, exports) {${readFileSync(scripts[at], 'utf8')}\n})`, { filename: scripts[at] })
  const { tests, api } = createCollector()
  const vitest = { ...api, expect, vi }
  const module = { exports: {} }
  files[at] = undefined
  globalThis.startTest_9fa48 = () => compiled[at].runInThisContext()((name) => (name === 'vitest' ? vitest : require(name)), module, module.exports)
  starter.runInThisContext({ timeout: patience })
  files[at] = tests
  return tests
}

/** `expect.poll` outside vitest's own runner. */
function poll(value) {
  return new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args) =>
          again(value, name, args, 100),
    },
  )
}

async function again(value, name, args, tries) {
  try {
    return await expect(await value())[name](...args)
  } catch (error) {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 20))
    return again(value, name, args, tries - 1)
  }
}

process.send('ready')
