import { type Fault, faultKey, scenarioFaults, slowdownOf } from '../../../scenario/edit/faults.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import type { Run } from '../../session/run/runStore.ts'
import { faultTimeWords, faultWords } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'

/** Returns when a fault happens, as far as that is known. */
export function faultTime(fault: Fault, clock: JobClock): Micros {
  return fault.kind === 'change' ? clock.timeOf(fault.stage, fault.from) : fault.at
}

/** Returns all faults of a scenario as marks in order of time. */
export function marksOf(scenario: Scenario, run: Run | null, clock: JobClock): FaultMark[] {
  const played = run === null ? null : playedIn(run)
  return scenarioFaults(scenario)
    .map((fault): FaultMark => {
      const time = faultTime(fault, clock)
      const change = fault.kind === 'change'
      return {
        key: faultKey(fault),
        kind: change ? (slowdownOf(scenario, fault) < 1 ? 'quicker' : 'slower') : fault.kind,
        time,
        label: faultWords(scenario, fault),
        when: faultTimeWords(fault, time),
        colourIndex: change ? scenario.stages.findIndex(({ id }) => id === fault.stage) : null,
        played: played === null || played.has(JSON.stringify(fault)),
      }
    })
    .sort((a, b) => a.time - b.time)
}

const known = new WeakMap<Run, ReadonlySet<string>>()

function playedIn(run: Run): ReadonlySet<string> {
  const played = known.get(run) ?? new Set(scenarioFaults(run.scenario).map((each) => JSON.stringify(each)))
  known.set(run, played)
  return played
}
