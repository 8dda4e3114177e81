import { useEffect, useState } from 'react'
import { leastFlowOf } from '../../../measures/figures/lowerBound.ts'
import { type Scores, scoresOf } from '../../../runs/study/byHand.ts'
import { playCompared, underPolicy } from '../../../runs/study/compare.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'

/** What the policies make of the same jobs. */
export interface Rivals {
  readonly scores: readonly { readonly kind: PolicyKind; readonly name: string; readonly scores: Scores }[]
  /** Nobody's score can be less; a mean flow time of 0: nothing is known. */
  readonly bounds: Scores
}

/** Those that see what a player sees and have as many workers. */
const rivals: readonly PolicyKind[] = [
  'leastScore',
  'jefferson',
  'webster',
  'adams',
  'hamilton',
  'longestQueue',
  'backpressure',
  'sinkFirst',
  'onePerStage',
  'single',
]

/** The rivals' scores, once they have all played; null before. */
export function useRivals(scenario: Scenario): Rivals | null {
  const [known, setKnown] = useState<{ readonly scenario: Scenario; readonly rivals: Rivals } | null>(null)
  useEffect(() => {
    let gone = false
    void playAll(scenario).then((rivals) => !gone && setKnown({ scenario, rivals }))
    return () => {
      gone = true
    }
  }, [scenario])
  return known?.scenario === scenario ? known.rivals : null
}

async function playAll(scenario: Scenario): Promise<Rivals> {
  const scores: { kind: PolicyKind; name: string; scores: Scores }[] = []
  let makespan = 0
  for (const kind of rivals) {
    const parsed = underPolicy(scenario, kind)
    if ('problems' in parsed) continue
    const compared = await playCompared(parsed.scenario, false)
    makespan = compared.bound.time
    // Who leaves jobs behind has not played to the end.
    if (compared.ending === 'drained') scores.push({ kind, name: policies[kind].name(), scores: scoresOf(compared.figures) })
  }
  return { scores, bounds: { makespan, flow: leastFlowOf(scenario) } }
}
