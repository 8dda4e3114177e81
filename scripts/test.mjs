// Runs the checks of the project and prints a table at the end. The last line is always "N passed, N failed".
// A step that fails does not stop the others.
//
//   npm test                              what a change is most likely to break, in under five minutes on two cores
//   npm run test:all                      everything; .ci/run calls this
//   npm test -- --only types,lint,page    these steps, in full
//   npm test -- --seeds 1000000           1,000,000 more hostile games; test:all plays 12,000
//   npm test -- --all-browsers            Firefox and WebKit too; installs them where it can
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.mjs'
import { findFirefox, findWebKit } from './engines.mjs'
import { playwrightCounts, reportOf, vitestCounts } from './reports.mjs'
import { commandOf, endAll, runToEnd } from './runToEnd.mjs'

const everything = process.argv.includes('--all')
const only = flagged('--only')?.split(',')
const installBrowsers = process.argv.includes('--all-browsers')
const games = flagged('--seeds') ?? '12000'
/** test/seeds/seeds.test.ts plays the games of the seeds before it, row by row. */
const FIRST_SEED = '1000'

/**
 * The steps in the order of their start: long steps first, so that two at a time end together.
 * quick: part of `npm test`. real: plays on real threads and in real time, so it runs last and alone.
 */
const steps = [
  { name: 'types', quick: true, real: false, command: [commandOf('typescript', 'tsc'), '-p', 'tsconfig.json'] },
  {
    name: 'purity',
    quick: true,
    real: false,
    command: [commandOf('typescript', 'tsc'), '-p', 'src/pure.tsconfig.json'],
  },
  {
    name: 'lint',
    quick: true,
    real: false,
    command: [commandOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'],
  },
  { name: 'unused', quick: false, real: false, command: [commandOf('knip', 'knip'), '--no-progress'] },
  { name: 'page', quick: false, real: false, ...playwright('page') },
  { name: 'node', quick: true, real: false, ...vitest('node') },
  { name: 'browser', quick: true, real: false, ...vitest('browser') },
  { name: 'main', quick: true, real: false, ...playwright('main') },
  { name: 'firefox', quick: false, real: false, ...playwright('firefox', findFirefox) },
  { name: 'webkit', quick: false, real: false, ...playwright('webkit', findWebKit) },
  { name: 'package', quick: false, real: false, ...vitest('package'), prepare: async () => ({ env: await site() }) },
  { name: 'mutants', quick: false, real: false, command: [join(root, 'scripts/mutants.mjs')] },
  {
    name: 'seeds',
    quick: flagged('--seeds') !== undefined,
    real: false,
    command: [join(root, 'scripts/seeds.mjs'), games, '--from', FIRST_SEED],
  },
  { name: 'threads', quick: false, real: true, ...playwright('threads') },
  { name: 'workers', quick: false, real: true, ...vitest('workers') },
]

/** No step takes nearly as long, even on a very busy machine. A longer one hangs, unless more games were requested. */
const LIMIT_MINUTES = flagged('--seeds') === undefined ? 60 : 6 * 60

let building

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    endAll()
    process.exit(130)
  })
}

const chosen = chosenSteps()
const results = new Map()
const together = chosen.filter(({ real }) => !real)
await Promise.all([runInTurn(together), runInTurn(together)])
await runInTurn(chosen.filter(({ real }) => real))
conclude(chosen.map(({ name }) => ({ name, ...results.get(name) })))

function flagged(flag) {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : (process.argv[at + 1] ?? '')
}

function chosenSteps() {
  if (only === undefined)
    return steps.filter(
      ({ name, quick }) => everything || quick || (installBrowsers && ['firefox', 'webkit'].includes(name)),
    )
  const unknown = only.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    console.error(`--only knows ${steps.map(({ name }) => name).join(', ')}; not "${unknown.join('", "')}".`)
    process.exit(2)
  }
  return steps.filter(({ name }) => only.includes(name))
}

/** Takes steps from the front of the list until it is empty. Two callers may share a list. */
async function runInTurn(list) {
  for (let step = list.shift(); step; step = list.shift()) results.set(step.name, await run(step))
}

/** Runs a step and prints its output at the end, so that parallel steps do not interleave. */
async function run({ name, command, prepare, count }) {
  const began = performance.now()
  console.log(`${name} started`)
  rmSync(reportOf(name), { force: true })
  const { missing, env } = (await prepare?.()) ?? {}
  if (missing !== undefined) {
    console.log(`${name} skipped: ${missing}`)
    return { passed: 0, failed: 0, skipped: 1, seconds: 0, note: missing.split(/[(;]/)[0].trim() }
  }
  const { status, output } = await runToEnd(name, command, env, LIMIT_MINUTES)
  const counts = count?.() ?? { passed: status === 0 ? 1 : 0, failed: 0 }
  // A step may fail without a failed test: an error outside a test, or a step that hung.
  if (status !== 0 && counts.failed === 0) counts.failed = 1
  const seconds = (performance.now() - began) / 1000
  if (output.trim() !== '') console.log(`\n── ${name} ${'─'.repeat(70 - name.length)}\n${output.trim()}\n`)
  console.log(`${name} ended after ${seconds.toFixed(1)} s: ${counts.passed} passed, ${counts.failed} failed`)
  return { ...counts, seconds }
}

function vitest(project) {
  const report = reportOf(project)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    command: [commandOf('vitest', 'vitest'), 'run', '--project', project, ...reporters],
    prepare: () => ({ env: everything || only ? { APPORTION_TESTS: 'all' } : {} }),
    count: () => vitestCounts(report),
  }
}

/** Builds the page once. Returns the variable that marks it as built; without it, a step builds by itself and reports errors. */
function site() {
  building ??= runToEnd('site', [join(root, 'scripts/site.mjs')], {}, LIMIT_MINUTES).then(({ status }) =>
    status === 0 ? { APPORTION_SITE: 'built' } : {},
  )
  return building
}

/** All Playwright steps share one build of the page. Each has its own port, and the next one for offline.spec.ts. */
function playwright(project, findBrowser = () => ({})) {
  const report = reportOf(project)
  const port =
    Number(process.env.APPORTION_PORT ?? 4319) + 2 * ['page', 'main', 'firefox', 'webkit', 'threads'].indexOf(project)
  return {
    command: [
      commandOf('@playwright/test', 'playwright'),
      'test',
      '--config',
      'test/browser/playwright.config.ts',
      '--project',
      project,
      '--reporter=list,json',
    ],
    async prepare() {
      const { missing, env } = await findBrowser(installBrowsers)
      if (missing !== undefined) return { missing }
      const built = await site()
      return { env: { ...env, ...built, APPORTION_PORT: String(port), PLAYWRIGHT_JSON_OUTPUT_NAME: report } }
    },
    count: () => playwrightCounts(report, !everything),
  }
}

/** Prints the failed tests by name, the table of steps, and the last line. */
function conclude(all) {
  for (const { failures = [] } of all) for (const each of failures) console.log(`\n${each}`)
  console.log(
    `\n${'step'.padEnd(10)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'seconds'.padStart(9)}`,
  )
  for (const { name, passed, failed, skipped = 0, seconds, note = '' } of all) {
    const figures = [
      String(passed).padStart(8),
      String(failed).padStart(8),
      String(skipped || '').padStart(9),
      seconds.toFixed(1).padStart(9),
    ]
    console.log(`${name.padEnd(10)}${figures.join('')}  ${note}`.trimEnd())
  }
  const sum = (key) => all.reduce((total, result) => total + result[key], 0)
  process.exitCode = sum('failed') > 0 ? 1 : 0
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
}
