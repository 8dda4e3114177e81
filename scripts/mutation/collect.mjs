// A small `describe` and `test`: they collect the tests of one file, so that each can be run any number of times.
import { format } from 'node:util'

/** Collects what a file says to `describe`, `test` and their kin. */
export function createCollector() {
  const tests = []
  let group = newGroup(null, '')
  const describe = (name, body) => {
    group = newGroup(group, name)
    body()
    group = group.parent
  }
  const test = (name, run) => tests.push({ name: nameIn(group, name), run, group })
  const each = (declare) => (rows) => (name, body) => {
    for (const [i, row] of [...rows].entries()) declare(titleOf(name, row, i), () => body(...given(row)))
  }
  describe.each = each(describe)
  test.each = each(test)
  const hook = (kind) => (run) => group[kind].push(run)
  const api = { describe, test, it: test, beforeAll: hook('beforeAll'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach'), afterAll: () => {} }
  return { tests, api }
}

/** Runs a test with its hooks. Returns a promise only if something in it does. */
export function runTest({ run, group }) {
  const groups = []
  for (let at = group; at !== null; at = at.parent) groups.unshift(at)
  const before = groups.flatMap((each) => {
    const once = each.begun ? [] : each.beforeAll
    each.begun = true
    return [...once, ...each.beforeEach]
  })
  const after = groups.reverse().flatMap((each) => each.afterEach)
  if (before.length + after.length === 0) return run({})
  return inTurn(before, run, after)
}

async function inTurn(before, run, after) {
  try {
    for (const hook of before) await hook()
    await run({})
  } finally {
    for (const hook of after) await hook()
  }
}

function newGroup(parent, name) {
  return { parent, name, beforeAll: [], beforeEach: [], afterEach: [], begun: false }
}

function nameIn(group, name) {
  return group === null || group.name === '' ? name : nameIn(group.parent, `${group.name} > ${name}`)
}

const given = (row) => (Array.isArray(row) ? row : [row])

/** The title of one row, with `%s` and `$field` filled in as vitest does. */
function titleOf(name, row, i) {
  const values = given(row)
  const places = name.match(/%[sdifjoO]/g)?.length ?? 0
  const filled = format(name.replaceAll('%#', String(i)), ...values.slice(0, places))
  const fields = values.length === 1 || !Array.isArray(row) ? values[0] : undefined
  return filled.replace(/\$([\w.]+)/g, (text, path) => {
    const value = path.split('.').reduce((at, key) => at?.[key], fields)
    return value === undefined ? text : String(value)
  })
}
