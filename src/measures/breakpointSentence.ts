import type { Scenario } from '../scenario/scenario.ts'
import type { Cause, Condition } from './breakpoints.ts'
import { createSpeech, grouped, merged, type Part, say, sentence } from './sentence.ts'

/** Causes of which there are more are not all told. */
const MOST = 3

/**
 * Why playback has stopped: "Validate has lost its last worker. At Write more than 20 jobs wait: 23." Workers are numbered from 1.
 *
 * @param ruleName what people call a rule
 */
export function causesSentence(
  scenario: Scenario,
  causes: readonly Cause[],
  ruleName: (condition: Extract<Condition, { kind: 'disagree' }>) => string,
): Part[] {
  const speech = createSpeech(scenario)
  const clauseOf = ({ condition, stage, worker, amount }: Cause): Part[] => {
    switch (condition.kind) {
      case 'deserted':
        return [speech.stage(stage), say(' has lost its last worker')]
      case 'queue':
        return [say(`more than ${grouped(condition.above)} wait at `), speech.stage(stage), say(`: ${grouped(amount)}`)]
      case 'disagree':
        return [say(`${ruleName(condition)} would seat ${amount === 1 ? 'one worker' : `${amount} workers`} elsewhere`)]
      case 'moves':
        return [say('worker '), speech.worker(worker), say(` has changed stage ${condition.times === 1 ? 'once' : `${condition.times} times`} within a second`)]
    }
  }
  const told = causes.slice(0, MOST).flatMap((cause) => sentence(clauseOf(cause)))
  return merged([...told, ...(causes.length > MOST ? sentence([say(`and ${causes.length - MOST} more`)]) : [])])
}
