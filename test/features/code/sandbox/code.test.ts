import fc from 'fast-check'
import { QuickJSContext } from 'quickjs-emscripten-core'
import { describe, expect, test, vi } from 'vitest'
import { startingPoints } from '../../../../src/features/code/page/startingPoints.ts'
import { loadCode, loadSharedCode } from '../../../../src/features/code/sandbox/loadCode.ts'
import { prelude } from '../../../../src/features/code/sandbox/prelude.ts'
import { openSandbox } from '../../../../src/features/code/sandbox/startCode.ts'
import { replay } from '../../../../src/features/replay/study/replay.ts'
import { metricsOf } from '../../../../src/measures/figures/metrics.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { readFragment, toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { leastTotalTimeCode } from '../../../../src/scenario/model/policies.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { anyScenario, valid } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { playCode } from '../../../fixtures/playCode.ts'
import { digestOf } from '../../../trace/digestOf.ts'

const stages = [{ id: 'A' }, { id: 'B', name: 'Bake', capacity: 4 }]
const three = (source: string, rest: object = {}) =>
  valid({
    version: 1,
    stages,
    workers: 3,
    seed: 7,
    source: { kind: 'regular', rate: 900, jobs: 40 },
    policy: { kind: 'code', name: 'Mine', source },
    ...rest,
  })

/** Returns what the code throws as the text of its error. */
async function seenBy(source: string, rest: object = {}): Promise<unknown> {
  const trace = await playCode(three(source, rest))
  const seen = /Error: (.*)$/.exec(trace.failures[0]?.reason ?? '')?.[1]
  return JSON.parse(seen ?? 'null')
}

const tell = (what: string) => `export default (view) => { throw new Error(JSON.stringify(${what})) }`

describe('the view', () => {
  test('has the workers, the time, and what is known of each stage', async () => {
    const stage = {
      id: 'A',
      name: 'A',
      waiting: 1,
      mean: 1,
      busy: 0,
      seats: 0,
      done: false,
      capacity: null,
      finished: 0,
    }
    const keys = ['workers', 'time', 'stages', 'memory', 'random']
    expect(await seenBy(tell('[Object.keys(view), view.workers, view.time, view.memory, view.stages[0]]'))).toEqual([
      keys,
      3,
      0,
      {},
      stage,
    ])
    expect(await seenBy(tell('view.stages[1]'))).toMatchObject({ id: 'B', name: 'Bake', capacity: 4 })
  })

  test('has a memory that lasts, and the seats of the decision before', async () => {
    const source = `export default ({ memory, stages }) => {
      memory.n = (memory.n ?? 0) + 1
      if (memory.n === 3) throw new Error(JSON.stringify([memory.n, stages.map((stage) => stage.seats), stages[0].finished]))
      return { A: 2, B: memory.n - 1 }
    }`
    expect(await seenBy(source)).toEqual([3, [2, 1], 1])
  })

  test('says that a stage is done; seats that it gets all the same stay empty, and without lending nobody may use them', async () => {
    const toDone = (lend: boolean) => `export const lend = ${lend}
      export default ({ workers }) => ({ A: workers - 1, B: 1 })`
    const jobs = {
      source: { kind: 'batch', jobs: 12 },
      stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 } })),
    }
    const [lending, kept] = await Promise.all([true, false].map((lend) => playCode(three(toDone(lend), jobs))))
    expect([lending, kept].map(({ failures, ending }) => [failures.length, ending])).toEqual([
      [0, 'drained'],
      [0, 'drained'],
    ])
    // When A is done, three workers serve B, or only the one that has its seat.
    expect([lending, kept].map((trace) => metricsOf(trace).makespan)).toEqual([8000, 13_000])
  })

  test('has random numbers that depend only on the seed, also from Math', async () => {
    const draws = tell('[view.random(), Math.random(), view.random()]')
    const [first, again, other] = await Promise.all([seenBy(draws), seenBy(draws), seenBy(draws, { seed: 8 })])
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    for (const x of first as number[]) expect(x >= 0 && x < 1).toBe(true)
  })

  test('has random numbers below 1, whatever is drawn', () => {
    // The mixer's last product is a constant here, so that each draw of 32 bits is the largest, or 0.
    for (const [product, expected] of [
      [0xffff0000 | 0, 1 - 2 ** -52],
      [0, 0],
    ] as const) {
      const math = Object.create(Math, { imul: { value: () => product }, random: { value: null, writable: true } })
      const begin = new Function('Math', `return ${prelude}`)(math) as (
        seed: number,
        json: string,
        buffer: ArrayBuffer,
      ) => { start(own: object): void; decide(): void }
      const host = begin(1, '[]', new ArrayBuffer(64))
      let drawn = Number.NaN
      host.start({
        default: ({ random }: { random: () => number }) => {
          drawn = random()
          return []
        },
      })
      host.decide()
      expect(drawn).toBe(expected)
    }
  })

  test('is taken by code whose steps count for one decision at a time', async () => {
    // A third of what one decision may take: all of them together take many times as much.
    const source =
      'export default ({ stages }) => { for (let i = 0; i < 600_000; i++); return stages.map((_, s) => (s === 0 ? 1 : 0)) }'
    const scenario = three(source)
    if (scenario.policy.kind !== 'code') expect.fail()
    const code = (await openSandbox())(scenario.policy, scenario)
    for (let decision = 0; decision < 12; decision++) {
      code.numbers[0] = 3
      expect(code.decide()).toBeNull()
    }
  })
})

test('the sine of the sandbox is the same everywhere', async () => {
  expect(
    await seenBy(tell('[Math.sin(1e6), Math.exp(1.1), Math.pow(1.7, 3.3), Math.log(7), Math.cosh(3), Math.tan(1.5)]')),
  ).toEqual([
    -0.34999350217129294, 3.0041660239464334, 5.760781994950998, 1.9459101490553132, 10.067661995777765,
    14.101419947171719,
  ])
})

test('code that does not lend leaves a worker without a seat idle', async () => {
  const of = async (lend: string) => {
    const trace = await playCode(three(`export default () => [1, 1]\n${lend}`, { source: { kind: 'batch', jobs: 9 } }))
    return [trace.ending, metricsOf(trace).makespan]
  }
  const [lending, not] = await Promise.all([of(''), of('export const lend = false')])
  expect(not).toEqual(['drained', 10_000])
  expect(lending[1]).toBeLessThan(10_000)
})

test('a stage that is missing in the answer has no seat, under any name', async () => {
  const stages = [{ id: 'constructor' }, { id: 'B' }]
  const trace = await playCode(three('export default () => ({ B: 3 })', { stages }))
  expect([trace.ending, trace.failures]).toEqual(['drained', []])
})

test('short links carry the code unchanged', () => {
  const scenario = three('export default () => [1, 1] // Ü "🙂"\r\n\t')
  const read = readFragment(toShortFragment(scenario))
  expect(read).toMatchObject({ found: 'scenario', scenario })
})

/** Returns a scenario whose policies of least total time are the same in code. */
function inCode(scenario: Scenario): Scenario {
  const source = leastTotalTimeCode
  return { ...scenario, policy: { kind: 'code', name: '', source, lend: scenario.policy.lend } }
}

describe('least total time in ten lines', () => {
  const any = anyScenario({ jobs: 30, stages: 5, workers: 8, graphs: true, policies: ['leastScore'] })

  test('plays as the built-in policy does, to the last row', async () => {
    const shared = loadSharedCode()
    await fc.assert(
      fc.asyncProperty(any, async (scenario) => {
        const [own, built] = await Promise.all([playTrial(inCode(scenario), { loadCode: shared }), playCode(scenario)])
        expect(own.failures).toEqual(built.failures)
        expect(digestOf(own)).toBe(digestOf(built))
        expect(metricsOf(own)).toEqual(metricsOf(built))
      }),
      { numRuns: repeats(60) },
    )
  })

  test('can be replayed, decision by decision', async () => {
    const shared = loadSharedCode()
    await fc.assert(
      fc.asyncProperty(any, async (scenario) => {
        const trace = await playTrial(inCode(scenario), { loadCode: shared })
        const replayed = replay(trace, undefined, await shared())
        expect(replayed).toMatchObject({ difference: null, reproduced: trace.decisions.length })
      }),
      { numRuns: repeats(30) },
    )
  })
})

test('every code template plays random scenarios to their end', async () => {
  const any = anyScenario({ jobs: 20, stages: 4, workers: 6, policies: ['leastScore'] })
  const points = fc.constantFrom(...startingPoints().map(([, source]) => source))
  await fc.assert(
    fc.asyncProperty(any, points, async (scenario, source) => {
      const built = await playCode({ ...scenario, policy: { kind: 'leastScore', lend: true } })
      const own = await playCode({ ...scenario, policy: { kind: 'code', name: '', source, lend: true } })
      expect([own.ending, own.failures.filter(({ kind }) => kind === 'run')]).toEqual([built.ending, []])
    }),
    { numRuns: repeats(20) },
  )
})

test('a run that the code ends can be replayed', async () => {
  const trace = await playCode(three('let n = 0\nexport default () => (n++ < 2 ? [2, 1] : [9, 9])'))
  expect([trace.ending, trace.decisions.length, trace.failures.length]).toEqual(['stuck', 2, 1])
  expect(replay(trace, undefined, await loadCode())).toMatchObject({ difference: null, reproduced: 2 })
})

test('a phase with other code begins with an empty memory', async () => {
  const limited = (seats: string) =>
    `export default ({ memory }) => { memory.n = (memory.n ?? 0) + 1; return memory.n > 50 ? 7 : ${seats} }`
  const later = [{ at: 25_000, policy: { kind: 'code', source: limited('[0, 3]') } }]
  const decisions = async (rest: object) => (await playCode(three(limited('[3, 0]'), rest))).decisions.length
  expect(await decisions({})).toBe(50)
  expect(await decisions({ later })).toBeGreaterThan(50)
})

const counting = `export default ({ memory, workers }) => {
  memory.n = (memory.n ?? 0) + 1
  return memory.n % 2 === 0 ? { A: workers } : { B: workers - 1, A: 1 }
}`

test('a broken sandbox, here by deep brackets, is reported and makes no further decision', async () => {
  const loadCode = loadSharedCode()
  const deep = await playTrial(three('export default () => eval("(".repeat(50000))'), { loadCode })
  expect(deep.failures[0].reason).toMatch(/^the code of the policy (needed too much memory|threw an error)/)
  const next = await playTrial(three('export default () => [1, 1]'), { loadCode })
  const fine = next.ending === 'drained'
  expect(fine || next.failures[0].reason === 'the code of the policy cannot run here').toBe(true)
})

test('an engine that failed in the middle of a call is not used again; a new one is fine', async () => {
  const [loadCode, loadOther] = [loadSharedCode(), loadSharedCode()]
  const source = 'export default () => [1, 1]'
  const failsNow = vi.spyOn(QuickJSContext.prototype, 'callFunction').mockImplementationOnce(() => {
    throw new RangeError('Maximum call stack size exceeded')
  })
  try {
    const failed = await playTrial(three(source), { loadCode })
    expect(failed.failures.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('the code of the policy needed too much memory'),
    ])
  } finally {
    failsNow.mockRestore()
  }
  for (let again = 0; again < 2; again++) {
    const next = await playTrial(three(source), { loadCode })
    expect([next.ending, ...next.failures.map(({ reason }) => reason)]).toEqual([
      'stuck',
      'the code of the policy cannot run here',
    ])
  }
  expect((await playTrial(three(source), { loadCode: loadOther })).ending).toBe('drained')
})

test('runs that share a sandbox equal runs in their own sandboxes, even if memory runs out', async () => {
  const hungry =
    'const all = []\nexport default ({ workers }) => {\n  all.push(new Uint8Array(300000))\n  return [workers, 0]\n}'
  const ofAll = loadSharedCode()
  for (const source of [hungry, counting, hungry, ...startingPoints().map(([, point]) => point), hungry]) {
    const [shared, alone] = [
      await playTrial(three(source), { loadCode: ofAll }),
      await playTrial(three(source), { loadCode }),
    ]
    expect([digestOf(shared), shared.failures]).toEqual([digestOf(alone), alone.failures])
    expect(alone.ending).toBe(source === hungry ? 'stuck' : 'drained')
  }
})
