import { keyOf, type Sabotage, sabotagesOf, slownessOf } from '../../../scenario/edit/faults.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { SabotageMark } from '../../../views/timeline/faultMark.ts'
import type { Run } from '../../session/run/runStore.ts'
import { whenOf, wordsOf } from './faultWords.ts'
import type { JobClock } from './jobClock.ts'

/** When something happens, as far as that is known. */
export function timeOf(sabotage: Sabotage, clock: JobClock): Micros {
  return sabotage.kind === 'change' ? clock.timeOf(sabotage.stage, sabotage.from) : sabotage.at
}

/** All that befalls a run of the scenario, as marks in order of time. */
export function marksOf(scenario: Scenario, run: Run | null, clock: JobClock): SabotageMark[] {
  const played = run === null ? null : playedIn(run)
  return sabotagesOf(scenario)
    .map((sabotage): SabotageMark => {
      const time = timeOf(sabotage, clock)
      const change = sabotage.kind === 'change'
      return {
        key: keyOf(sabotage),
        kind: change ? (slownessOf(scenario, sabotage) < 1 ? 'quicker' : 'slower') : sabotage.kind,
        time,
        words: wordsOf(scenario, sabotage),
        when: whenOf(sabotage, time),
        colourIndex: change ? scenario.stages.findIndex(({ id }) => id === sabotage.stage) : null,
        played: played === null || played.has(JSON.stringify(sabotage)),
      }
    })
    .sort((a, b) => a.time - b.time)
}

const known = new WeakMap<Run, ReadonlySet<string>>()

function playedIn(run: Run): ReadonlySet<string> {
  const played = known.get(run) ?? new Set(sabotagesOf(run.scenario).map((each) => JSON.stringify(each)))
  known.set(run, played)
  return played
}
