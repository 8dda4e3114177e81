// Reads the reports of Vitest and Playwright: how many tests passed and failed, and which failed.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './bundle.mjs'
import { reports } from './runToEnd.mjs'

/** Returns the path of the report of a step. */
export function reportOf(name) {
  return join(reports, `${name}.json`)
}

export function vitestCounts(file) {
  const found = read(file)
  if (!found) return { passed: 0, failed: 0 }
  const tests = found.testResults.flatMap((each) =>
    each.assertionResults.map((test) => ({ ...test, file: relative(root, each.name) })),
  )
  const failed = tests.filter((test) => test.status === 'failed')
  // A file that cannot be loaded fails without a test.
  const unloadable = found.testResults.filter(
    (each) => each.status === 'failed' && !each.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: found.numPassedTests,
    failed: found.numFailedTests + unloadable.length,
    skipped: found.numPendingTests + found.numTodoTests,
    failures: [
      ...failed.map((test) => `failed: ${test.file}: ${test.fullName}\n${beginning(test.failureMessages[0])}`),
      ...unloadable.map((each) => `failed: ${relative(root, each.name)}\n${beginning(each.message)}`),
    ],
  }
}

/** A test that passed when tried again counts as failed if `mayRetry` is false. It is named in any case. */
export function playwrightCounts(file, mayRetry) {
  const found = read(file)
  if (!found) return { passed: 0, failed: 0 }
  const { expected, flaky, unexpected, skipped } = found.stats
  const failures = specsIn(found).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) => {
        const what = test.status === 'flaky' ? 'passed only when tried again' : 'failed'
        return `${what}: ${spec.file}:${spec.line}: ${spec.title}\n${beginning(test.results[0].error?.message)}`
      }),
  )
  return { passed: expected + (mayRetry ? flaky : 0), failed: unexpected + (mayRetry ? 0 : flaky), skipped, failures }
}

function specsIn({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsIn)]
}

/** The first lines of the error of a test, indented. */
function beginning(message = '') {
  return stripVTControlCharacters(message)
    .split('\n')
    .slice(0, 6)
    .map((line) => `  ${line}`)
    .join('\n')
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
