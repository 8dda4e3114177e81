import { t, tStored } from '../../language/translate.ts'
import type { Failure } from '../../pipeline/journal.ts'
import { hasGains, isElastic } from '../../scenario/model/defaults.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { scenarioAtPhase } from '../../scenario/model/schedule.ts'
import { listed } from '../../scenario/model/words.ts'
import { endOf, type Trace } from '../../trace/trace.ts'
import { type Frame, frameAt } from './frame.ts'

/** Returns why a stuck run went no further, and what would help: 'Parse (waits for room) --> Validate 2 of 2, no worker --> Write'. */
export function stuckSentences(trace: Trace): string {
  const frame = frameAt(trace, endOf(trace))
  const scenario = scenarioAtPhase(trace.scenario, trace.head.counts.phase)
  if (frame.workers.every(({ status }) => status === 'lost' || status === 'absent') && !isElastic(scenario.policy))
    return t('no worker is left to serve the rest.')
  const all = scenario.stages.map((_, s) => s).filter((s) => frame.stages[s].waiting > 0)
  const held = all.filter((s) => waitsForRoom(scenario, frame, s))
  const alone = all.filter((s) => !held.includes(s))
  const where = (s: number) => t('{waiting, plural, one {# job} other {# jobs}} at {name}', { waiting: frame.stages[s].waiting, name: scenario.stages[s].name })
  const waiting = alone.reduce((sum, s) => sum + frame.stages[s].waiting, 0)
  const sentences = [
    t('{where} {n, plural, one {waits} other {wait}}, and {why}.', { where: listed(alone.map(where)), n: waiting, why: whyNoWorker(scenario, frame, alone) }),
  ]
  if (held.length > 0) sentences.push(t('Behind them {where} can only wait for room in the next queue.', { where: listed(held.map(where)) }))
  return [...sentences, `${remedy(scenario, frame, held.length > 0)}.`].join(' ')
}

function waitsForRoom({ links, stages }: Scenario, frame: Frame, s: number): boolean {
  return links.some(([from, to]) => {
    const next = from === stages[s].id ? stages.findIndex(({ id }) => id === to) : -1
    const capacity = next < 0 ? null : stages[next].capacity
    return capacity !== null && frame.stages[next].waiting >= capacity
  })
}

function whyNoWorker({ policy }: Scenario, { workers }: Frame, alone: readonly number[]): string {
  const there = alone.length > 1 ? t('there') : t('at that stage')
  const lost = workers.some(({ status }) => status === 'lost')
  if (isElastic(policy)) {
    const free = workers.some(({ status }) => status === 'absent')
    if (free) return t('for 10 s no controller has asked for a worker {there}', { there })
    return lost
      ? t('no worker is left to be hired {there}', { there })
      : t('none works {there}: all {n} are hired for other stages, and none of those is let go', { there, n: workers.length })
  }
  if (policy.kind === 'fixed')
    return lost ? t('the fixed allocation has no worker {there} any more', { there }) : t('the fixed allocation has no worker {there}', { there })
  if (lost && !policy.lend) return t('all workers {there} are lost', { there })
  return t('the target {there} is 0, and idle workers do not help other stages', { there })
}

function remedy({ policy }: Scenario, { workers }: Frame, bounded: boolean): string {
  const longer = bounded ? t(', or longer queues') : ''
  if (policy.kind === 'fixed') return t('It needs a target above 0 there{longer}', { longer })
  if (!isElastic(policy)) return t('It needs “Let idle workers help other stages”, in Settings{longer}', { longer })
  if (workers.some(({ status }) => status === 'absent'))
    return hasGains(policy)
      ? t('It needs a controller that hires earlier: Hire at nearer to zero, or an integral part{longer}', { longer })
      : t('It needs a controller that hires earlier: a lower Hire above{longer}', { longer })
  return t('It needs more workers, or fewer as the Most in a pool{longer}', { longer })
}

/** Characters of a browser's message. */
const MAX_CHARACTERS = 90

/** Returns what happened to a worker, in words without a full stop. People count workers from 1. */
export function lossOf({ worker, reason }: Failure): string {
  const why = tStored(reason).slice(0, MAX_CHARACTERS)
  return worker === undefined ? why : t('worker {n} {why}', { n: worker + 1, why })
}

/** Returns how many workers were lost, and why the last; null: none. */
export function lossesOf(failures: readonly Failure[]): string | null {
  const lost = failures.filter(({ kind }) => kind === 'worker')
  const last = lost.at(-1)
  return last === undefined ? null : t('{n, plural, one {# worker} other {# workers}} lost ({why})', { n: lost.length, why: lossOf(last) })
}
