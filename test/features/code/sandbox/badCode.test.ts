import { createHash } from 'node:crypto'
import { QuickJSWASMModule } from 'quickjs-emscripten-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { problemOfCode } from '../../../../src/features/code/sandbox/loadCode.ts'
import { openSandbox } from '../../../../src/features/code/sandbox/startCode.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { playCode } from '../../../fixtures/playCode.ts'

const notSeats = 'must return a whole number of seats for each stage: a list in listing order, or an object by stage id'

const stages = [{ id: 'A' }, { id: 'B', name: 'Bake' }]

/** Plays three jobs under this code. Returns how the run ended, and why. */
async function endOf(source: string): Promise<readonly string[]> {
  const trace = await playCode(
    valid({
      version: 1,
      stages,
      workers: 3,
      source: { kind: 'batch', jobs: 3 },
      policy: { kind: 'code', name: 'Mine', source },
    }),
  )
  return [trace.ending ?? 'goes on', ...trace.failures.map(({ kind, reason }) => `${kind}: ${reason}`)]
}

const sandbox = await openSandbox()
const scenario = valid({ version: 1, stages, workers: 3 })
const started = (source: string) => sandbox({ kind: 'code', lend: true, name: 'Mine', source }, scenario)

const allocate = (body: string) => `export default function allocate(view) {\n  ${body}\n}`

test.each([
  ['a loop', allocate('let n = 0\n  for (;;) n = Math.max(n, 1)'), 'took too long: line 3'],
  ['a loop before the first decision', `\nfor (;;) {}\n${allocate('return [1, 1]')}`, 'took too long: line'],
  [
    'too much memory',
    allocate('const all = []; for (;;) all.push(new Uint8Array(100000))'),
    'needed too much memory: line 2',
  ],
  ['too much memory in small pieces', allocate('let all = null; for (;;) all = { all }'), 'needed too much memory'],
  ['too much memory, kept', `const all = []\n${allocate('for (;;) all.push({})')}`, 'needed too much memory'],
  ['null as an error', allocate('throw null'), 'threw an error: null'],
  ['undefined as an error', allocate('throw undefined'), 'threw an error: undefined'],
  ['null as an error before the first decision', `${allocate('return [1, 1]')}\nthrow null`, 'threw an error: null'],
  [
    'waiting outside of functions',
    `await null\n${allocate('return [1, 1]')}`,
    'waits with await outside of a function',
  ],
  [
    'waiting forever',
    `${allocate('return [1, 1]')}\nawait new Promise(() => {})`,
    'waits with await outside of a function',
  ],
  ['calls without an end', allocate('return allocate(view)'), 'threw an error: line 2: InternalError: stack overflow'],
  ['a text as an error', allocate("throw 'no idea'"), 'threw an error: no idea'],
  ['an error that never ends', allocate('throw { get message() { for (;;) {} } }'), 'took too long'],
  [
    'wrong syntax',
    'export default function allocate(view) {\n  return [1, \n}\n',
    'cannot be read: line 3: SyntaxError',
  ],
  ['too many', allocate('return [3, 1]'), 'returned more seats than there are workers: line 1: 4 / 3'],
  ['not a list', allocate('return 7'), `${notSeats}: line 1: 7`],
  ['a list of another length', allocate('return [1]'), `${notSeats}: line 1: 1 / 2`],
  ['NaN', allocate('return [1, NaN]'), `${notSeats}: line 1: Bake: NaN`],
  ['less than nothing', allocate('return { A: -1 }'), `${notSeats}: line 1: A: -1`],
  ['a stage that is not there', allocate('return { C: 1 }'), `${notSeats}: line 1: C`],
  ['no function', 'export const seats = [1, 1]', 'exports no function as its default: undefined'],
  ['a promise', 'export default async function allocate(view) { return [1, 1] }', `${notSeats}: line 1: object`],
  [
    'an import',
    "import { readFileSync } from 'fs'\nexport default () => [1, 1]",
    'threw an error: line 1: ReferenceError: could not load module',
  ],
  ['eval', allocate("return eval('[9, 9]')"), 'returned more seats than there are workers: line 1: 18 / 3'],
  [
    'a field that a stage does not have',
    allocate('return view.stages.map((stage) => stage.wating)'),
    'reads a field that a stage does not have (it has id, name, waiting, mean, busy, seats, done, capacity, finished): line 2: wating',
  ],
  [
    'a field that the view does not have',
    allocate('return [view.wokers, 0]'),
    'reads a field that the view does not have (it has workers, time, stages, memory, random): line 2: wokers',
  ],
])('%s ends the run with its reason', async (_, source, reason) => {
  const [ending, ...failures] = await endOf(source)
  expect(ending).toBe('stuck')
  expect(failures).toHaveLength(1)
  expect(failures[0]).toMatch(new RegExp(`^run: the code of the policy ${reason.replace(/[^\w ]/g, '\\$&')}`))
  expect(failures[0]).not.toMatch(/node_modules|sandbox|prelude|wasm|\.ts/)
})

test.each([
  ['only texts', "{ name: 7, message: { toString: () => 'lie' }, stack: 1 }", ''],
  ['a name alone', "{ name: 'Odd' }", ': Odd'],
  ['a name and a message', "{ name: 'Odd', message: 'so it is' }", ': Odd: so it is'],
  ['a message where the name cannot be read', "{ get name() { throw 1 }, message: 'so it is' }", ': so it is'],
  ['nothing of a symbol', "Symbol('s')", ''],
  ['a number', '7', ': 7'],
])('of an error the run tells %s', async (_, thrown, told) => {
  expect((await endOf(allocate(`throw ${thrown}`)))[1]).toBe(`run: the code of the policy threw an error${told}`)
})

test('the code has no access to a page, to Node or to a clock', async () => {
  const names = [
    'process',
    'require',
    'fetch',
    'WebSocket',
    'importScripts',
    'postMessage',
    'Date',
    'performance',
    'self',
    'document',
    'setTimeout',
  ]
  const [, reason] = await endOf(
    allocate(`throw new Error(${JSON.stringify(names)}.filter((name) => name in globalThis).length)`),
  )
  expect(reason).toBe('run: the code of the policy threw an error: line 2: Error: 0')
})

test('texts of the code are shown without control characters, and in at most one line', async () => {
  const [, reason] = await endOf(allocate("throw new Error('a\\u202e\\n' + 'b'.repeat(5000))"))
  expect(reason).toMatch(/^run: the code of the policy threw an error: line 2: Error: a {2}b+…$/)
  expect(reason.length).toBeLessThan(300)
})

test('a text of the code is shown whole up to 200 characters, and then cut', async () => {
  const shownOf = async (length: number) => (await endOf(allocate(`throw 'b'.repeat(${length})`)))[1].split(': ').at(-1)
  expect([await shownOf(200), await shownOf(201)]).toEqual(['b'.repeat(200), `${'b'.repeat(200)}…`])
})

test.each<[string, string, string, string | null]>([
  ['Array.isArray', 'Array.isArray = () => true', 'return { A: 1, B: 1 }', null],
  ['Array.isArray', 'Array.isArray = () => false', 'return [1, 1]', null],
  ['Number.isInteger', 'Number.isInteger = () => true', 'return [2, 0.5]', `${notSeats}: line 4: Bake: 0.5`],
  ['Object.keys', 'Object.keys = () => []', 'return { A: 1, C: 1 }', `${notSeats}: line 4: C`],
  ['Object.hasOwn', 'Object.hasOwn = () => true', 'return { A: 1 }', null],
  ['the prototype of objects', 'Object.prototype.B = 9; Object.prototype.C = 1', 'return { A: 1 }', null],
  ['the text of a number', 'globalThis.String = () => "a lie"', 'return [2, 0.5]', `${notSeats}: line 4: Bake: 0.5`],
  ['how lists become JSON', 'Array.prototype.toJSON = () => 7', 'return [1, 1]', null],
  ['Math.imul', 'Math.imul = () => 0', 'if (view.random() === view.random()) return 7; return [1, 1]', null],
  [
    'Float64Array',
    'globalThis.Float64Array = Array',
    'return [9, 9]',
    'returned more seats than there are workers: line 4: 18 / 3',
  ],
])('code that changes %s does not change what is checked', async (_, lie, body, told) => {
  const source = `// Changed before the first decision:\n${lie}\n\n${allocate(body)}`
  const code = started(source)
  code.numbers[0] = 3
  expect(code.decide()).toBe(told === null ? null : `the code of the policy ${told}`)
})

test('code that changes Promise is seen to wait outside of functions all the same', async () => {
  const [, reason] = await endOf(`globalThis.Promise = class {}\nawait null\n${allocate('return [1, 1]')}`)
  expect(reason).toBe('run: the code of the policy waits with await outside of a function, where it cannot wait')
})

describe('a decision that takes more than two seconds by the clock', () => {
  afterEach(() => vi.restoreAllMocks())

  /** Each reading of the clock is this many milliseconds after the one before. */
  const slowClock = (step: number) => {
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += step
      return now
    })
  }

  test('ends the run in words', async () => {
    slowClock(2001)
    expect(await endOf(allocate('return [1, 1]'))).toEqual(['stuck', 'run: the code of the policy took too long'])
    expect(await endOf(allocate('throw 1'))).toEqual(['stuck', 'run: the code of the policy took too long'])
    // What is counted in steps ends alike on every machine.
    expect((await endOf(`for (;;) {}\n${allocate('return [1, 1]')}`))[1]).toMatch(
      /^run: the code of the policy took too long/,
    )
  })

  test('is the only one that ends: two seconds and less change nothing', async () => {
    slowClock(2000)
    expect(await endOf(allocate('return [1, 1]'))).toEqual(['drained'])
  })
})

describe('one decision may take, alike on every machine,', () => {
  test.each<[string, (n: number) => string, number, number, string]>([
    [
      'two million steps of a loop',
      (n) => `for (let n = 0; n < ${n}; n++);`,
      1_000_000,
      1_010_000,
      'took too long: line 2',
    ],
    [
      '300 calls inside of each other',
      (n) => `const f = (n) => n === 0 ? 0 : 1 + f(n - 1); f(${n})`,
      300,
      400,
      'threw an error: line 2: InternalError: stack',
    ],
    [
      '11 MB of memory',
      (n) => `const all = []; for (let k = 0; k < ${n}; k++) all.push(new Uint8Array(10_000))`,
      1090,
      1130,
      'needed too much memory: line 2',
    ],
  ])('%s, and not much more', async (_, body, most, tooMany, words) => {
    expect((await endOf(allocate(`${body(most)}; return [1, 1]`)))[0]).toBe('drained')
    expect((await endOf(allocate(`${body(tooMany)}; return [1, 1]`)))[1]).toMatch(
      `run: the code of the policy ${words}`,
    )
  })
})

test('each policy in a sandbox begins with the memory of the first one, byte for byte', async () => {
  const begun: string[] = []
  const newRuntime = QuickJSWASMModule.prototype.newRuntime
  const spy = vi.spyOn(QuickJSWASMModule.prototype, 'newRuntime').mockImplementation(function (
    this: QuickJSWASMModule,
    ...args
  ) {
    begun.push(createHash('sha256').update(new Uint8Array(this.getWasmMemory().buffer)).digest('hex'))
    return newRuntime.apply(this, args)
  })
  try {
    const start = await openSandbox()
    // The second one fills the memory to its last byte.
    for (const body of [
      'return [1, 1]',
      'const all = []; for (;;) all.push(new Uint8Array(1000).fill(7))',
      'throw null',
      'return [1, 1]',
    ])
      start({ kind: 'code', lend: true, name: 'Mine', source: allocate(body) }, scenario).decide()
  } finally {
    spy.mockRestore()
  }
  expect(begun).toEqual(Array(4).fill(begun[0]))
})

test('code that is read is not run', async () => {
  expect(await problemOfCode(`throw new Error('it ran')\n${allocate('return [1, 1]')}`)).toBeNull()
  expect(await problemOfCode(`for (;;) {}\n${allocate('return [1, 1]')}`)).toBeNull()
})

test('code that cannot start fails at every decision with its first reason, lends as other policies do, and explains nothing', async () => {
  const source = `export const lend = false\nexport const describe = () => 'all is well'\n${allocate('return [1, 1]')}\nthrow new Error('no')`
  const code = started(source)
  const reason = 'the code of the policy threw an error: line 6: Error: no'
  expect([code.decide(), code.decide(), code.lends, code.describe(3)]).toEqual([reason, reason, true, null])
})

test('code that has failed at a decision is not asked again, and explains nothing', async () => {
  const source = `let n = 0\nexport const describe = () => 'all is well'\nexport default () => (++n === 2 ? [9, 9] : [1, 1])`
  const code = started(source)
  const decide = () => {
    code.numbers[0] = 3
    return code.decide()
  }
  const reason = 'the code of the policy returned more seats than there are workers: line 3: 18 / 3'
  expect([decide(), code.describe(3)]).toEqual([null, { text: 'all is well' }])
  expect([decide(), decide(), code.describe(3)]).toEqual([reason, reason, null])
})
