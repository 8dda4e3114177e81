import { isolated, t } from '../../../language/translate.ts'
import { enumerated, plain, type SentencePart, tParts } from '../../../measures/decisions/speech.ts'
import type { Frame } from '../../../measures/frame/frame.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Ring } from './order.ts'
import type { ShardTurn, StageShards } from './shards.ts'

/**
 * Returns the ring in plain words: "Ticket 41 is missing: worker 3 has it at Enrich; 7 jobs wait behind it." Workers are
 * numbered from 1; tickets are the jobs' numbers.
 */
export function orderSentence(scenario: Scenario, ring: Ring, frame: Frame): SentencePart[] {
  if (ring.parked === 0) return [plain(settled(ring, frame))]
  const parts = tParts(
    'Ticket {tail} is missing: <where></where>; {n, plural, one {# job waits} other {# jobs wait}} behind it.',
    { where: whereabouts(scenario, ring) },
    { tail: ring.tail, n: ring.parked },
  )
  const n = idleForOrder(scenario, ring, frame)
  if (n === 0) return parts
  const idle = t(' {n, plural, one {# worker stands} other {# workers stand}} idle: the ring reaches no further.', {
    n,
  })
  return [...parts, plain(idle)]
}

function settled({ tail }: Ring, { arrived }: Frame): string {
  if (arrived === 0) return t('Nothing has come yet.')
  return tail >= arrived ? t('All jobs have left, in order.') : t('Ticket {tail} is the next to leave.', { tail })
}

/** Where the job is: several places where it is copied. */
function whereabouts({ stages }: Scenario, { awaited }: Ring): SentencePart[] {
  const clauses = awaited.map((where): SentencePart[] => {
    if (!('stage' in where)) return [plain(t('it waits outside'))]
    const stage = [{ text: isolated(stages[where.stage].name), stage: where.stage }]
    if (where.at === 'waiting') return tParts('it waits at <stage></stage>', { stage })
    const worker = [{ text: `${where.worker + 1}`, worker: where.worker }]
    return tParts('worker <worker></worker> has it at <stage></stage>', { stage, worker })
  })
  return enumerated(clauses)
}

/** Workers that are idle although jobs wait, where only the ring can be the reason. */
function idleForOrder({ policy, stages, order }: Scenario, { beyond }: Ring, frame: Frame): number {
  const waiting = frame.stages.reduce((sum, stage) => sum + stage.waiting, 0)
  if (
    order.kind !== 'buffer' ||
    !policy.lend ||
    beyond === 0 ||
    waiting === 0 ||
    stages.some(({ capacity }) => capacity !== null)
  )
    return 0
  return frame.workers.filter(({ status }) => status === 'idle').length
}

/**
 * Returns the shards in plain words: "Ticket 41 is missing: worker 3 has it at Enrich; 2 jobs wait behind it. At Parse 2 of 3 shards stand still, though 9
 * jobs wait there. Write is to have 3 shards instead of 2, once the jobs that have started there have left."
 */
export function shardSentence(
  scenario: Scenario,
  ring: Ring,
  shards: readonly StageShards[],
  frame: Frame,
): SentencePart[] {
  const still = shards.map(({ turns }, s) => (frame.stages[s].waiting > 0 ? turns.filter(standsStill).length : 0))
  const worst = still.indexOf(Math.max(...still))
  const changing = shards.findIndex(({ turns, wanted }, s) => wanted !== turns.length && !frame.stages[s].done)
  const name = (stage: number): SentencePart => ({ text: isolated(scenario.stages[stage].name), stage })
  const parts = orderSentence(scenario, ring, frame)
  if (still[worst] > 0)
    parts.push(
      plain(' '),
      ...tParts(
        'At <stage></stage> {still, plural, one {# of {n} shards stands} other {# of {n} shards stand}} still, though {waiting, plural, one {# job waits} other {# jobs wait}} there.',
        { stage: [name(worst)] },
        { still: still[worst], n: shards[worst].turns.length, waiting: frame.stages[worst].waiting },
      ),
    )
  if (changing >= 0) {
    const { turns, wanted } = shards[changing]
    parts.push(
      plain(' '),
      ...tParts(
        '<stage></stage> is to have {wanted, plural, one {# shard} other {# shards}} instead of {had}, once the jobs that have started there have left.',
        { stage: [name(changing)] },
        { wanted, had: turns.length },
      ),
    )
  }
  return parts
}

/** Its next ticket has not arrived, or its last job has not left. */
function standsStill({ state, held }: ShardTurn): boolean {
  return state === 'missing' || (state === 'here' && held !== null && held >= 0)
}
