// Measures the tests of a folder with StrykerJS: plants all its mutants in the sources, one at a time, and prints those that the
// tests of that folder do not notice.
//
//   npm run -s mutation -- pipeline                      a folder of src; its tests have the same path below test
//   npm run -s mutation -- trace/json scenario/model     several
//   npm run -s mutation -- pipeline/shards.ts            one file
//
// StrykerJS is installed at its first use, apart from package-lock.json, so that other users do not wait for its packages.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cache, root } from './bundle.mjs'

const VERSION = '9.6.1'
const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}`)

const places = process.argv.slice(2)
const wrong = places.find((place) => !existsSync(join(root, 'src', place)))
if (places.length === 0 || wrong !== undefined) {
  console.error(
    wrong === undefined ? 'Usage: npm run -s mutation -- FOLDER-OR-FILE-OF-SRC ...' : `There is no src/${wrong}.`,
  )
  process.exit(2)
}
if (packages.some((name) => !existsSync(join(root, 'node_modules', name)))) {
  const added = packages.map((name) => `${name}@${VERSION}`)
  ended(
    spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...added], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    }),
  )
}

const isFile = (place) => statSync(join(root, 'src', place)).isFile()
const home = join(cache, 'mutation')
mkdirSync(home, { recursive: true })
const tests = join(home, 'vitest.config.mjs')
const folders = places.map((place) => `test/${isFile(place) ? dirname(place) : place}/**/*.test.ts`)
writeFileSync(
  tests,
  `export default { test: { include: ${JSON.stringify(folders)}, exclude: ['**/*.browser.test.*'], setupFiles: ['test/fixtures/cleanStart.ts'], testTimeout: 600_000 } }\n`,
)
const settings = {
  testRunner: 'vitest',
  vitest: { configFile: tests },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: places.map((place) => (isFile(place) ? `src/${place}` : `src/${place}/**/*.ts`)),
  // TypeScript 7 lacks the functions with which StrykerJS would read a tsconfig.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: join(home, 'known.json'),
  tempDirName: join(tmpdir(), 'apportion-mutation'),
  reporters: ['progress', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowConsoleColors: false,
}
const file = join(home, 'stryker.config.json')
writeFileSync(file, JSON.stringify(settings))
ended(
  spawnSync(process.execPath, [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', file], {
    cwd: root,
    stdio: 'inherit',
  }),
)

function ended({ status }) {
  if (status !== 0) process.exit(status ?? 1)
}
