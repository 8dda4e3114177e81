import { describe, expect, test } from 'vitest'
import { FILE, inOneLine, prelude, wrongAnswer, wrongCode } from '../../../../src/features/code/sandbox/prelude.ts'

const stages = [
  { id: 'A', name: 'A', capacity: null },
  { id: 'toString', name: 'Bake', capacity: 4 },
]

/** The prelude outside of its sandbox, with the code of a policy as a function. Returns its answers. */
function hosted(own: object, workers = 3, seed = 1) {
  const math = Object.create(Math, { random: { value: null, writable: true } })
  const begin = new Function('Math', `return ${prelude}`)(math) as (
    seed: number,
    json: string,
    buffer: ArrayBuffer,
  ) => Record<'start' | 'decide' | 'describe', (own?: object) => string | undefined>
  const numbers = new Float64Array(2 + 7 * stages.length)
  const host = begin(seed, JSON.stringify(stages), numbers.buffer)
  const started = host.start(own)
  const told = [...numbers.slice(0, 4)]
  const decide = () => {
    numbers[0] = workers
    return host.decide() ?? numbers[0]
  }
  return { started, told, decide, numbers, math, describe: () => host.describe() }
}
const answerOf = (seats: unknown, workers?: number) => hosted({ default: () => seats }, workers).decide()

describe('the seats that code returns', () => {
  test.each<[string, unknown]>([
    ['a list', [1, 2]],
    ['fewer than there are workers', [1, 0]],
    ['none', [0, 0]],
    ['an object', { A: 1, toString: 2 }],
    ['an object without a stage', { A: 3 }],
  ])('are taken as %s', (_, seats) => {
    expect(answerOf(seats)).toBe(-1)
  })

  test('are written where the scheduler reads them; a stage that is not named has none, whatever its name', () => {
    const { decide, numbers } = hosted({ default: () => ({ A: 2 }) })
    decide()
    expect([numbers[8], numbers[15]]).toEqual([2, 0])
  })

  test.each<[string, unknown, string]>([
    ['one more than there are workers', [2, 2], 'many\n4 / 3'],
    ['a number below 0', [4, -1], 'number\nBake: -1'],
    ['half a worker', [0.5, 1], 'number\nA: 0.5'],
    ['a text', ['1', 1], 'number\nA: "1"'],
    ['a hole in a list', [1, undefined], 'number\nBake: undefined'],
    ['nothing for a stage', { A: undefined }, 'number\nA: undefined'],
    ['one too few', [1], 'length\n1 / 2'],
    ['one too many', [1, 1, 0], 'length\n3 / 2'],
    ['a stage that does not exist', { A: 1, C: 1 }, 'stage\nC'],
    ['a name that every object has', { constructor: 1 }, 'stage\nconstructor'],
    ['no object', 7, 'list\n7'],
    ['a text in place of them', 'A', 'list\n"A"'],
    ['null', null, 'list\nnull'],
    ['an empty object', {}, 'list\nobject'],
    ['a function', () => [1, 1], 'list\nfunction'],
  ])('are refused with %s', (_, seats, answer) => {
    expect(answerOf(seats)).toBe(answer)
  })
})

describe('what code exports', () => {
  test('lends unless it says no, and explains only with a function', () => {
    const told = (own: object) => hosted({ default: () => [1, 1], ...own }).told.slice(2)
    expect([told({}), told({ lend: true }), told({ lend: false }), told({ lend: 0 }), told({ lend: null })]).toEqual([
      [1, 0],
      [1, 0],
      [0, 0],
      [1, 0],
      [1, 0],
    ])
    expect([told({ describe: () => '' }), told({ describe: 'text' }), told({ describe: null })]).toEqual([
      [1, 1],
      [1, 0],
      [1, 0],
    ])
  })

  test('is a function, and no promise of one', () => {
    expect(hosted({ default: 7 }).started).toBe('function\n7')
    expect(hosted({}).started).toBe('function\nundefined')
    expect(hosted(Promise.resolve()).started).toBe('await\n')
  })

  test('explains in at most 1000 characters, and in a text', () => {
    const says = (text: unknown) => hosted({ default: () => [1, 1], describe: () => text }).describe()
    expect(says('x'.repeat(5000))).toBe(`words\n${'x'.repeat(1000)}`)
    expect([says(''), says(7), says(undefined), says({})]).toEqual([
      'words\n',
      'text\n7',
      'text\nundefined',
      'text\nobject',
    ])
  })
})

test('code sees of each stage what is written for it, and a field that does not exist throws', () => {
  const seen: unknown[] = []
  const { numbers, decide } = hosted({
    default(view: { stages: Record<string, unknown>[] }) {
      seen.push(JSON.parse(JSON.stringify(view.stages)))
      for (const read of [() => view.stages[1].wait, () => (view as unknown as { stage: unknown }).stage])
        try {
          read()
        } catch (error) {
          seen.push(`${(error as Error).name}: ${(error as Error).message}`)
        }
      return [1, 1]
    },
  })
  numbers.set([9, 20, 21, 22, 23, 1, 25, 0, 30, 31, 32, 33, 0, 35, 0], 1)
  decide()
  expect(seen).toEqual([
    [
      { id: 'A', name: 'A', waiting: 20, mean: 21, busy: 22, seats: 23, done: true, capacity: null, finished: 25 },
      {
        id: 'toString',
        name: 'Bake',
        waiting: 30,
        mean: 31,
        busy: 32,
        seats: 33,
        done: false,
        capacity: 4,
        finished: 35,
      },
    ],
    'no field of stage: wait',
    'no field of view: stage',
  ])
})

type View = { readonly memory: { n?: number }; readonly random: () => number; readonly stages: readonly unknown[] }

test('the view and its stages can be written as text and awaited, like other objects', async () => {
  const seen: View[] = []
  hosted({ default: (view: View) => [seen.push(view), 1] }).decide()
  const [view] = seen
  const { stages } = view
  expect([`${view}`, `${stages[0]}`, await view, await stages[1]]).toEqual([
    '[object Object]',
    '[object Object]',
    view,
    stages[1],
  ])
})

test('the view has the workers and the time, and an explanation gets the seats that were given', () => {
  const seen: unknown[] = []
  const { decide, describe, numbers } = hosted({
    default({ workers, time }: { workers: number; time: number }) {
      seen.push([workers, time])
      return { toString: 2, A: 1 }
    },
    describe: ({ time }: { time: number }, seats: readonly number[]) => `${time}: ${seats.join(' ')}`,
  })
  numbers[1] = 77
  decide()
  expect([seen, describe()]).toEqual([[[3, 77]], 'words\n77: 1 2'])
})

test('the memory is one object for all decisions and explanations', () => {
  const { decide, describe } = hosted({
    default({ memory }: View) {
      memory.n = (memory.n ?? 0) + 1
      return [1, 1]
    },
    describe: ({ memory }: View) => `${memory.n}`,
  })
  for (let n = 1; n <= 3; n++) {
    expect(decide()).toBe(-1)
    expect(describe()).toBe(`words\n${n}`)
  }
})

test('the random numbers of a seed never change: those of saved runs come again', () => {
  const drawn = (seed: number) => {
    const numbers: number[] = []
    const { decide, math } = hosted(
      {
        default({ random }: View) {
          // Math has the same generator.
          numbers.push(random(), (math.random as () => number)(), random())
          return [0, 0]
        },
      },
      3,
      seed,
    )
    decide()
    return numbers
  }
  const ofOne = [0.6223195912932808, 0.9483341279765509, 0.930805016286361]
  expect([drawn(1), drawn(2), drawn(-1), drawn(2 ** 32 + 1)]).toEqual([
    ofOne,
    [0.02977459476258093, 0.6195831872683746, 0.6001351302990439],
    [0.6444021119096777, 0.43895627366567336, 0.4849365995238284],
    ofOne,
  ])
})

describe('the reason for which code failed', () => {
  const caught = (name: string, message: string, stack = '') => ({ name, message, stack })

  test('has the line of the code from 1 on, and what was found', () => {
    expect(wrongAnswer('many\n4 / 3', 1)).toBe(
      'the code of the policy returned more seats than there are workers: line 1: 4 / 3',
    )
    expect(wrongAnswer('many\n4 / 3', 0)).toBe(
      'the code of the policy returned more seats than there are workers: 4 / 3',
    )
    // What the code says itself chooses no other message.
    expect(wrongAnswer('nothing known\nx', 0)).toMatch(/must return a whole number of seats/)
    expect(wrongAnswer(`number\n${'x'.repeat(300)}`, 123)).toMatch(/: line 123: x{200}…$/)
    expect(wrongCode(caught('Error', 'x', `at ${FILE}:1234:5`), '', false)).toMatch(/: line 1234: Error: x$/)
    expect(wrongCode(caught('Error', 'x', 'at prelude.js:7'), '', false)).toBe(
      'the code of the policy threw an error: Error: x',
    )
  })

  test('is its time before its memory, and both before what it threw', () => {
    expect(wrongCode(caught('InternalError', 'interrupted', `at f (${FILE}:7)`), '', true)).toBe(
      'the code of the policy took too long: line 7',
    )
    expect(wrongCode(caught('InternalError', 'out of memory'), '', true)).toBe('the code of the policy took too long')
    expect(wrongCode(caught('InternalError', 'out of memory'), '', false)).toBe(
      'the code of the policy needed too much memory',
    )
    expect(wrongCode(caught('Error', 'out of memory'), '', false)).toBe(
      'the code of the policy threw an error: Error: out of memory',
    )
  })

  test('is that it cannot be read only for an error of syntax at its own place', () => {
    expect(wrongCode(caught('SyntaxError', 'x', `    at ${FILE}:3`), '', false)).toBe(
      'the code of the policy cannot be read: line 3: SyntaxError: x',
    )
    expect(wrongCode(caught('SyntaxError', 'x', `at parse\nat ${FILE}:3`), '', false)).toMatch(/threw an error: line 3/)
    expect(wrongCode(caught('TypeError', 'x', `at ${FILE}:3`), '', false)).toMatch(/threw an error: line 3/)
  })

  test('names the line of an import that cannot be loaded', () => {
    const source = 'const a = 1\nconst important = 2\nimport b from "b"'
    expect(wrongCode(caught('ReferenceError', "could not load module 'b'"), source, false)).toMatch(/: line 3: /)
    expect(wrongCode(caught('ReferenceError', "could not load module 'b'"), 'const a = 1', false)).not.toMatch(/line/)
    const again = 'const a = 1\nconst fromage = 2\nexport { b } from "b"'
    expect(wrongCode(caught('ReferenceError', "could not load module 'b'"), again, false)).toMatch(/: line 3: /)
  })

  test('is about an unknown field only for the names that the view itself gives', () => {
    expect(wrongCode(caught('no field of view', 'stage'), '', false)).toMatch(
      /reads a field that the view does not have .*: stage$/,
    )
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(wrongCode(caught(name, 'x'), '', false)).toBe(`the code of the policy threw an error: ${name}: x`)
  })

  test('stands in one line of at most 200 whole letters', () => {
    expect(inOneLine('📱'.repeat(200))).toBe('📱'.repeat(200))
    expect(inOneLine('📱'.repeat(201))).toBe(`${'📱'.repeat(200)}…`)
    expect(inOneLine('a\nb\u2028c\u2029d\u202ee\u0000f')).toBe('a b c d e f')
  })
})
