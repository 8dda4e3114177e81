import { afterEach, describe, expect, test } from 'vitest'
import russian from '../../src/language/ru.json' with { type: 'json' }
import { speak } from '../../src/language/translate.ts'
import {
  askCodeOnce,
  type CodeView,
  fields,
  lineOfProblem,
  needsCode,
  numberCount,
  recordFirstView,
  type StartCode,
  type StartedCode,
  translatedReason,
  withoutCode,
} from '../../src/scheduler/codePolicy.ts'
import { valid } from '../fixtures/anyScenario.ts'
import { arrivals, scriptedCore } from './scriptedCore.ts'

const stages = [{ id: 'z' }, { id: 'a' }, { id: 'm' }]
const code = (more: object = {}) => ({ kind: 'code', name: '', source: 'export default () => []', ...more })
const scenarioOf = (more: object = {}) =>
  valid({ version: 1, source: { kind: 'batch', jobs: 9 }, stages, workers: 4, policy: code(), ...more })

/** Code that answers with these seats by stage in listing order, or with a problem; `seen` keeps its inputs. */
function answering(answer: (seen: readonly number[]) => readonly number[] | string, lends = true) {
  const seen: number[][] = []
  let started = 0
  const start: StartCode = (_, { stages }) => {
    started++
    const numbers = new Float64Array(numberCount(stages.length))
    const decide = () => {
      seen.push([...numbers])
      const answered = answer([...numbers])
      if (typeof answered === 'string') return answered
      for (const [s, seats] of answered.entries()) numbers[fields.ofStages + s * fields.perStage + 6] = seats
      return null
    }
    return { numbers, lends, decide, describe: () => null }
  }
  return { start, seen, started: () => started }
}

const startedCode = (start: StartCode): StartedCode =>
  start(code() as unknown as Parameters<StartCode>[0], scenarioOf())

describe('the input of policy code', () => {
  test('is the same outside a run: the code gets the given numbers', () => {
    const view: CodeView = {
      workers: 5,
      time: 77,
      stages: [
        { waiting: 3, mean: 10.5, busy: 2, seatsBefore: 4, done: false, measured: 8 },
        { waiting: 0, mean: 20, busy: 0, seatsBefore: 1, done: true, measured: 9 },
        { waiting: 6, mean: 30, busy: 1, seatsBefore: 0, done: false, measured: 7 },
      ],
    }
    const seen: CodeView[] = []
    expect(askCodeOnce(view, startedCode(recordFirstView((each) => seen.push(each))))).toBe('overheard')
    expect(seen).toEqual([view])
    const { start, seen: numbers } = answering(() => [2, 0, 3])
    expect(askCodeOnce(view, startedCode(start))).toEqual([2, 0, 3])
    expect(numbers).toEqual([[5, 77, 3, 10.5, 2, 4, 0, 8, 0, 0, 20, 0, 1, 1, 9, 0, 6, 30, 1, 0, 0, 7, 0]])
    expect(startedCode(recordFirstView(() => {})).lends).toBe(true)
    expect(startedCode(recordFirstView(() => {})).describe(1)).toBe(null)
  })
})

describe('a run under code', () => {
  test('ends with the problem of the code: no decision, no order, and the seats stay', () => {
    const { start } = answering(([, time]) => (time < 10 ? [2, 0, 0] : 'the code of the policy threw an error'))
    const tell = scriptedCore({ stages, workers: 2, policy: code() }, start)
    expect(tell(0, ...arrivals(0, 4))).toEqual(['started w0 z 0', 'started w1 z 1'])
    expect(tell(10, 'finished w0 z 0')).toEqual([])
    expect(tell.core.problem).toBe('the code of the policy threw an error')
    expect([tell.journal.decisions.length, ...tell.core.seats]).toEqual([1, 0, 0, 2])
  })

  test('lends where policy and code allow it', () => {
    for (const [lend, lends, sent] of [
      [true, true, 3],
      [true, false, 1],
      [false, true, 1],
      [false, false, 1],
    ] as const) {
      const { start } = answering(() => [1, 0, 0], lends)
      const tell = scriptedCore({ stages, workers: 3, policy: code({ lend }) }, start)
      expect(tell(0, ...arrivals(0, 4)), `${lend} ${lends}`).toHaveLength(sent)
      expect(tell.core.scenario.policy).toEqual({ ...code(), lend: lend && lends })
      expect(tell.core.scenario.workers).toBe(3)
    }
  })

  test('needs a way to run the code, in any phase', () => {
    const later = [{ at: 9, policy: code() }]
    const plain = { policy: { kind: 'leastScore' } }
    expect([scenarioOf(), scenarioOf(plain), scenarioOf({ ...plain, later })].map(needsCode)).toEqual([
      true,
      false,
      true,
    ])
    const tell = scriptedCore({ stages, workers: 2, policy: code() })
    expect(tell(0, 'arrived 0')).toEqual([])
    expect(tell.core.problem).toBe('the code of the policy cannot run here')
    const none = startedCode(withoutCode)
    expect([none.lends, none.describe(2), none.numbers.length]).toEqual([true, null, 23])
  })
})

describe('the reason why code failed', () => {
  afterEach(() => speak())

  test('names its line where it has one', () => {
    expect(lineOfProblem('the code of the policy threw an error: line 12: seats is not defined')).toBe(12)
    expect(lineOfProblem('the code of the policy threw an error: at line 12')).toBe(0)
    expect(lineOfProblem('line 12: no')).toBe(0)
    expect(lineOfProblem('the code of the policy: threw: line 12')).toBe(0)
    expect(lineOfProblem('the code of the policy took too long')).toBe(0)
  })

  test('is translated with its line, while the message of the code stays', () => {
    const reason = 'the code of the policy threw an error: line 12: seats is not defined'
    expect(translatedReason(reason)).toBe(reason)
    speak({ locale: 'ru', messages: russian })
    expect(translatedReason(reason)).toBe('код политики выбросил ошибку: строка 12: seats is not defined')
    expect(translatedReason('the code of the policy cannot run here')).toBe('код политики не может здесь выполняться')
    expect(translatedReason('the code of the policy threw an error: no line 3')).toBe(
      'код политики выбросил ошибку: no line 3',
    )
  })
})
