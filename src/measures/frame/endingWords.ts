import { t, tStored } from '../../language/translate.ts'
import type { Failure } from '../../pipeline/journal.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { listed } from '../../scenario/model/words.ts'
import { endOf, type Trace } from '../../trace/trace.ts'
import { type Frame, frameAt } from './frame.ts'

/** Returns why a run is stuck, and what would help. */
export function stuckSentences(trace: Trace): string {
  const frame = frameAt(trace, endOf(trace))
  const scenario = scenarioAtPhase(trace.scenario, trace.head.counts.phase)
  if (frame.workers.every(({ status }) => status === 'lost' || status === 'absent') && !isElastic(scenario.policy))
    return t('no worker is left to serve the rest.')
  const all = scenario.stages.map((_, s) => s).filter((s) => frame.stages[s].waiting > 0)
  const held = all.filter((s) => waitsForRoom(scenario, frame, s))
  const unserved = all.filter((s) => !held.includes(s))
  const where = (s: number) =>
    t('{waiting, plural, one {# job} other {# jobs}} at {name}', {
      waiting: frame.stages[s].waiting,
      name: scenario.stages[s].name,
    })
  const sentences = [
    t('Waiting: {where}, and {why}.', { where: listed(unserved.map(where)), why: whyNoWorker(scenario, frame) }),
  ]
  if (held.length > 0)
    sentences.push(t('{where} wait for a place in the next queue.', { where: listed(held.map(where)) }))
  return [...sentences, `${remedy(scenario, frame, held.length > 0)}.`].join(' ')
}

function waitsForRoom({ links, stages }: Scenario, frame: Frame, s: number): boolean {
  return links.some(([from, to]) => {
    const next = from === stages[s].id ? stages.findIndex(({ id }) => id === to) : -1
    const capacity = next < 0 ? null : stages[next].capacity
    return capacity !== null && frame.stages[next].waiting >= capacity
  })
}

function whyNoWorker({ policy }: Scenario, { workers }: Frame): string {
  const lost = workers.some(({ status }) => status === 'lost')
  if (isElastic(policy)) {
    const free = workers.some(({ status }) => status === 'absent')
    if (free) return t('no controller asks for a worker there')
    return lost
      ? t('no worker is left to be hired')
      : t('all {n} workers are hired for other stages', { n: workers.length })
  }
  if (policy.kind === 'fixed') return t('the fixed allocation has no worker there')
  if (lost && !policy.lend) return t('all workers there are lost')
  return t('the target there is 0, and idle workers do not help')
}

function remedy({ policy }: Scenario, { workers }: Frame, bounded: boolean): string {
  const longer = bounded ? t(', or longer queues') : ''
  if (policy.kind === 'fixed') return t('Raise its target{longer}', { longer })
  if (!isElastic(policy)) return t('Use “Let idle workers help other stages”{longer}', { longer })
  if (workers.some(({ status }) => status === 'absent')) return t('Hire earlier{longer}', { longer })
  return t('Take more workers, or smaller pools{longer}', { longer })
}

/** Characters of a browser's message. */
const MAX_CHARACTERS = 90

/** Returns what happened to a worker, without a full stop. */
export function lossOf({ worker, reason }: Failure): string {
  const why = tStored(reason).slice(0, MAX_CHARACTERS)
  return worker === undefined ? why : t('worker {n} {why}', { n: worker + 1, why })
}

/** Returns how many workers were lost, and why the last; null: none. */
export function lossesOf(failures: readonly Failure[]): string | null {
  const lost = failures.filter(({ kind }) => kind === 'worker')
  const last = lost.at(-1)
  return last === undefined
    ? null
    : t('{n, plural, one {# worker} other {# workers}} lost ({why})', { n: lost.length, why: lossOf(last) })
}
