// Checks everything, in the order a person would: types, lint, unused code, tests in Node, tests in a browser, the built page.
// A failing step does not stop the later ones. The last line is always "N passed, N failed".
//
//   npm test                               all steps
//   npm test -- --only types,lint,node     some of them
//   npm test -- --seeds 1000000            so many games of the hostile world instead of 25,000
//   npm test -- --all-browsers             installs Firefox and WebKit where it may; without it they are used where they are
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { findFirefox, findWebKit } from './engines.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = join(root, 'node_modules/.cache/apportion/reports')
const require = createRequire(import.meta.url)
/** No step takes anywhere near this long, unless it plays more games than usual: one that does has hung. */
const limit = (process.argv.includes('--seeds') ? 6 * 60 : 30) * 60_000
/** By this name the steps in a browser know what one of them has built already. */
const builder = `${process.pid} ${Date.now()}`

const steps = [
  { name: 'types', command: bin('typescript', 'tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'purity', command: bin('typescript', 'tsc'), args: ['-p', 'src/pure.tsconfig.json'] },
  { name: 'lint', command: bin('@biomejs/biome', 'biome'), args: ['check', '--error-on-warnings', '.'] },
  { name: 'unused', command: bin('knip', 'knip'), args: ['--no-progress'] },
  vitest('node'),
  { name: 'seeds', command: join(root, 'scripts/seeds.mjs'), args: [flagged('--seeds') ?? '25000'] },
  // Each sixth of the planted bugs; `npm run -s mutants` plants them all.
  { name: 'mutants', command: join(root, 'scripts/mutants.mjs'), args: ['--every', '6'] },
  vitest('browser'),
  // Not together: what the second one runs, one at a time, wants the cores for itself.
  playwright('page'),
  playwright('threads'),
  // The other two engines, as they are shipped.
  { ...playwright('firefox'), find: findFirefox },
  { ...playwright('webkit'), find: findWebKit },
]

const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    for (const child of running) end(child)
    process.exit(130)
  })
}

const results = []
for (const step of chosen()) results.push(await run(step))
conclude(results)

/** What stands behind a flag. */
function flagged(flag) {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : (process.argv[at + 1] ?? '')
}

function chosen() {
  const only = flagged('--only')
  if (only === undefined) return steps
  const names = only.split(',')
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    console.error(`--only knows ${steps.map((step) => step.name).join(', ')}; not "${unknown.join('", "')}".`)
    process.exit(2)
  }
  return steps.filter((step) => names.includes(step.name))
}

async function run(step) {
  console.log(`\n── ${step.name} ${'─'.repeat(70 - step.name.length)}`)
  mkdirSync(reports, { recursive: true })
  rmSync(report(step.name), { force: true })
  const began = performance.now()
  const { missing, env } = (await step.find?.(process.argv.includes('--all-browsers'))) ?? {}
  if (missing !== undefined) return skip(step.name, missing)
  const status = await statusOf({ ...step, env: { ...step.env, ...env } })
  const counts = step.read ? step.read(status) : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 }
  // A step that ends badly without one failing test has failed all the same: an error outside a test, say, or a hung process.
  if (status !== 0 && counts.failed === 0) counts.failed = 1
  return { name: step.name, seconds: (performance.now() - began) / 1000, ...counts }
}

function skip(name, why) {
  console.log(`Skipped: ${why}.`)
  return { name, passed: 0, failed: 0, skipped: 1, seconds: 0, note: why.split(/[(;]/)[0].trim() }
}

/** Exit status of a step, which runs as a process group of its own, so that nothing it started outlives it. */
function statusOf({ command, args, env }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      detached: process.platform !== 'win32',
    })
    running.add(child)
    const watchdog = setTimeout(() => {
      console.error(`Gave up after ${limit / 60_000} minutes.`)
      end(child)
    }, limit)
    const settle = (status) => {
      clearTimeout(watchdog)
      end(child)
      running.delete(child)
      resolve(status)
    }
    child.on('error', (error) => {
      console.error(error.message)
      settle(1)
    })
    child.on('exit', (code) => settle(code ?? 1))
  })
}

function end(child) {
  try {
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself, with all it had started.
  }
}

function vitest(name) {
  return {
    name,
    command: bin('vitest', 'vitest'),
    args: ['run', '--project', name, '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${report(name)}`],
    read: () => vitestCounts(name),
  }
}

function vitestCounts(name) {
  const found = readReport(name)
  if (!found) return { passed: 0, failed: 0 }
  const tests = found.testResults.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: relative(root, file.name) })))
  const failed = tests.filter((test) => test.status === 'failed')
  // A file that cannot even be loaded fails without having a test to its name.
  const unloadable = found.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
  return {
    passed: found.numPassedTests,
    failed: found.numFailedTests + unloadable.length,
    skipped: found.numPendingTests + found.numTodoTests,
    told: [
      ...failed.map((test) => `failed: ${test.file}: ${test.fullName}\n${beginning(test.failureMessages[0])}`),
      ...unloadable.map((file) => `failed: ${relative(root, file.name)}\n${beginning(file.message)}`),
    ],
  }
}

function playwright(name) {
  return {
    name,
    command: bin('@playwright/test', 'playwright'),
    args: ['test', '--config', 'test/browser/playwright.config.ts', '--project', name, '--pass-with-no-tests', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report(name), APPORTION_BUILDER: builder },
    read: () => playwrightCounts(name),
  }
}

function playwrightCounts(name) {
  const found = readReport(name)
  if (!found) return { passed: 0, failed: 0 }
  const { expected, flaky, unexpected, skipped } = found.stats
  const told = specsIn(found).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) => {
        const what = test.status === 'flaky' ? 'passed only when tried again' : 'failed'
        return `${what}: ${spec.file}:${spec.line}: ${spec.title}\n${beginning(test.results[0].error?.message)}`
      }),
  )
  return { passed: expected + flaky, failed: unexpected, skipped, told }
}

function specsIn({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsIn)]
}

/** The first lines of what a test complains of, indented. */
function beginning(message = '') {
  return stripVTControlCharacters(message)
    .split('\n')
    .slice(0, 6)
    .map((line) => `  ${line}`)
    .join('\n')
}

function report(name) {
  return join(reports, `${name}.json`)
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(report(name), 'utf8'))
  } catch {
    return undefined
  }
}

/** The script behind a command of an installed package, to be run by this Node without a shell. */
function bin(name, command) {
  const manifest = join(root, 'node_modules', name, 'package.json')
  const { bin } = require(manifest)
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command])
}

function conclude(all) {
  // Once more, where it is not buried under all that passed.
  for (const { told = [] } of all) for (const each of told) console.log(`\n${each}`)
  console.log(`\n${'step'.padEnd(10)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'seconds'.padStart(9)}`)
  for (const { name, passed, failed, skipped = 0, seconds, note = passed + failed + skipped === 0 ? 'no tests yet' : '' } of all) {
    const figures = [String(passed).padStart(8), String(failed).padStart(8), String(skipped || '').padStart(9), seconds.toFixed(1).padStart(9)]
    console.log(`${name.padEnd(10)}${figures.join('')}  ${note}`.trimEnd())
  }
  const sum = (key) => all.reduce((total, result) => total + result[key], 0)
  process.exitCode = sum('failed') > 0 ? 1 : 0
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
}
