import { expect, test } from 'vitest'
import { startingPoints } from '../../src/features/code/page/startingPoints.ts'
import { loadCode } from '../../src/features/code/sandbox/loadCode.ts'
import { leastTotalTimeCode } from '../../src/scenario/model/policies.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { askCodeOnce, type StartCode } from '../../src/scheduler/codePolicy.ts'
import { valid } from '../fixtures/anyScenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import { fuzz, patience } from './fuzz.ts'
import { mutatedText } from './mutations.ts'

const scenario: Scenario = valid({
  version: 1,
  stages: [{ id: 'A' }, { id: 'B', name: 'Bake' }, { id: 'constructor' }],
  workers: 5,
})
const stage = { waiting: 3, mean: 2000, busy: 1, seatsBefore: 1, done: false, measured: 4 }
const view = {
  workers: 5,
  time: 70_000,
  stages: [stage, { ...stage, waiting: 9 }, { ...stage, done: true, waiting: 0 }],
}
const sound = [
  leastTotalTimeCode,
  ...startingPoints().map(([, source]) => source),
  'export default () => ({ B: 5 })\nexport const describe = () => "B"\n',
]

/** Code that tries to escape the sandbox, or contains a mistake. */
const hostile = [
  ...[
    'for (;;) {}',
    'while (true) view.memory',
    'throw null',
    'throw { toString() { throw 1 } }',
    'throw view',
    'throw Symbol()',
    'throw new Proxy({}, {})',
  ],
  ...[
    'return',
    'return {}',
    'return [1]',
    'return "555"',
    'return [5, 5, 5]',
    'return [{ valueOf: () => 1 }, 1, 1]',
    'return new Proxy([1, 1, 1], {})',
  ],
  ...[
    'return { get A() { throw 1 } }',
    'return Object.create([1, 1, 1])',
    'return [1n, 1, 1]',
    'return [-0, 1, 1]',
    'return Promise.resolve([1, 1, 1])',
  ],
  ...[
    'Object.prototype.A = 9',
    'Array.prototype.push = 0',
    'Array.isArray = () => 1',
    'Number.isInteger = () => true',
    'Object.freeze(Object.prototype)',
  ],
  ...[
    'String.prototype.slice = () => { for (;;); }',
    'Reflect.apply = null',
    'JSON.parse = 1',
    'Math.imul = 0',
    'Object.setPrototypeOf(view, null)',
  ],
  ...[
    'delete view.stages',
    'view.stages.length = 0',
    'Object.freeze(view)',
    'view.stages[0].waiting = NaN',
    'Object.getPrototypeOf(view.stages[0]).x = 1',
  ],
  ...[
    'new Array(1e9).fill(0)',
    '"x".repeat(1e9)',
    'new ArrayBuffer(1e9)',
    'new Function("return this")()',
    'allocate(view)',
  ],
  ...[
    'globalThis.allocate = 1',
    'Promise.resolve().then(() => { for (;;); })',
    'import("fs")',
    'new WeakRef(view)',
    'structuredClone(view)',
    'debugger',
  ],
  ...[
    'Error.prepareStackTrace = () => { throw 1 }',
    'Error.stackTraceLimit = 0',
    'view.memory.all = view',
    '/(a+)+$/.test("a".repeat(50) + "b")',
  ],
]

function spoilt(chance: Chance): string {
  const source = chance.pick(sound)
  if (chance.percent(30)) return mutatedText(source, chance)
  const lines = source.split('\n')
  for (let n = chance.between(1, 3); n > 0; n--)
    lines.splice(chance.below(lines.length + 1), chance.pick([0, 0, 1]), chance.pick(hostile))
  return lines.join('\n')
}

/** Whether a problem is described in one line of our words, without details of the host. */
function inWords(problem: string): boolean {
  return (
    /^the (code|function describe) of the policy [^\n]+$/.test(problem) &&
    problem.length < 450 &&
    !/prelude|wasm|node_modules/.test(problem)
  )
}

/** Asks code three times and then for its text. Returns what is wrong with the answers; an error message is not wrong. */
function wrongWith(start: StartCode, source: string): string | null {
  const code = start({ kind: 'code', name: '', source, lend: true }, scenario)
  for (let n = 0; n < 3; n++) {
    const seats = askCodeOnce(view, code)
    if (typeof seats === 'string') return inWords(seats) ? null : seats
    const sum = seats.reduce((a, b) => a + b, 0)
    if (seats.length !== 3 || sum > 5 || !seats.every((seat) => Number.isInteger(seat) && seat >= 0))
      return `seats ${seats}`
  }
  const words = code.describe(5)
  return words === null || 'text' in words || inWords(words.problem) ? null : words.problem
}

test('damaged code returns valid seats or an error message, and does not affect the next code', patience, async () => {
  const start = await loadCode()
  const mine = { kind: 'code', name: '', source: leastTotalTimeCode, lend: true } as const
  const usual = askCodeOnce(view, start(mine, scenario))
  expect(usual).toEqual([2, 3, 0])
  fuzz(0.01, (chance) => {
    const source = spoilt(chance)
    const wrong = wrongWith(start, source)
    if (wrong !== null) return `${wrong}, of ${source}`
    const next = askCodeOnce(view, start(mine, scenario))
    return String(next) === String(usual) ? null : `the next code gives ${next}, after ${source}`
  })
})
