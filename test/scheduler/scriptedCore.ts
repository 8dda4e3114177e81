import { createJournal, type Journal } from '../../src/pipeline/journal.ts'
import {
  ARRIVED,
  EXHAUSTED,
  JOINED,
  kinds,
  LOST,
  NONE,
  PHASE,
  pushFinished,
  pushRow,
  rowAt,
  STOPPED,
  THREW,
  TICK,
} from '../../src/pipeline/rows.ts'
import type { VictimDraw } from '../../src/scheduler/carrying.ts'
import type { StartCode } from '../../src/scheduler/codePolicy.ts'
import { type Core, createCore } from '../../src/scheduler/core.ts'
import { dispatch } from '../../src/scheduler/dispatch.ts'
import { routingOf } from '../../src/workload/service.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'

/** A core that takes facts as text and returns consequences and orders as text. */
export interface ScriptedCore {
  readonly core: Core
  readonly journal: Journal
  /**
   * One instant: `told(10, 'finished w0 A 3', 'arrived 4')`. Facts: `arrived job`, `exhausted`, `finished w stage job`,
   * `threw w stage job`, `lost w`, `joined w`, `tick`, `phase k`, `stopped`. Returns consequences and orders: `started w0 A 4`.
   */
  (time: number, ...facts: string[]): string[]
}

/** `startCode`: needed if the policy is code. `victimOf`: where a worker that steals begins to search. */
export function scriptedCore(input: object, startCode?: StartCode, victimOf?: VictimDraw): ScriptedCore {
  const scenario = scenarioWith(input)
  const journal = createJournal()
  const core = createCore(
    scenario,
    () => 1,
    () => 0,
    routingOf(scenario),
    startCode,
    undefined,
    victimOf,
  )
  const stageOf = (id: string) => scenario.stages.findIndex((stage) => stage.id === id)
  const write = (time: number, fact: string) => {
    const [kind, ...words] = fact.split(' ')
    const worker = Number(words[0]?.slice(1))
    const stage = stageOf(words[1])
    const job = Number(words[2])
    const { rows } = journal
    if (kind === 'arrived') pushRow(rows, time, ARRIVED, NONE, NONE, Number(words[0]))
    else if (kind === 'exhausted') pushRow(rows, time, EXHAUSTED, NONE, NONE, NONE)
    else if (kind === 'stopped') pushRow(rows, time, STOPPED, NONE, NONE, NONE)
    else if (kind === 'tick') pushRow(rows, time, TICK, NONE, NONE, NONE)
    else if (kind === 'phase') pushRow(rows, time, PHASE, NONE, NONE, Number(words[0]))
    else if (kind === 'lost') pushRow(rows, time, LOST, NONE, worker, NONE)
    else if (kind === 'joined') pushRow(rows, time, JOINED, NONE, worker, NONE)
    else if (kind === 'threw') pushRow(rows, time, THREW, stage, worker, job)
    else if (kind === 'finished') pushFinished(rows, time, stage, worker, job, core.state.counts.since[worker], time)
    else throw new Error(`no fact: ${fact}`)
  }
  const tell = (time: number, ...facts: string[]) => {
    const from = journal.rows.length
    for (const fact of facts) write(time, fact)
    const answers: string[] = []
    for (let i = dispatch(core, journal, from); i < journal.rows.length; i++) {
      const { kind, stage, worker, job } = rowAt(journal.rows, i)
      answers.push(
        [kinds[kind], worker < 0 ? '' : `w${worker}`, stage < 0 ? '' : scenario.stages[stage].id, job < 0 ? '' : job]
          .filter((word) => word !== '')
          .join(' '),
      )
    }
    return answers
  }
  return Object.assign(tell, { core, journal })
}

/** `arrived from`, ..., `arrived to`. */
export function arrivals(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => `arrived ${from + i}`)
}
