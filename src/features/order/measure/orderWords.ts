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
  if (ring.parked === 0) return [{ text: settled(scenario, ring, frame) }]
  const parts = tParts(
    'Ticket {tail} is missing: <where></where>; {n, plural, one {# job waits} other {# jobs wait}} behind it.',
    { where: whereabouts(scenario, ring) },
    { tail: ring.tail, n: ring.parked },
  )
  const idle = idleForOrder(scenario, ring, frame)
  if (idle === 0) return parts
  return [
    ...parts,
    plain(
      ` ${t('{n, plural, =1 {A worker stands} one {# worker stands} other {# workers stand}} idle: the ring reaches no further.', { n: idle })}`,
    ),
  ]
}

function settled({ order }: Scenario, { tail, slots }: Ring, { arrived }: Frame): string {
  const room =
    order.kind === 'buffer'
      ? ` ${t('The ring has room for {n, plural, =1 {one ticket} one {# ticket} other {# tickets}}.', { n: slots })}`
      : ''
  if (arrived === 0) return t('Nothing has come yet.') + room
  if (tail >= arrived) return t('All jobs have left, in order.')
  return order.kind === 'buffer'
    ? t('In order: ticket {tail} is next.', { tail })
    : t('Ticket {tail} is the next to leave.', { tail })
}

/** Where the job is, or each of its parts. */
function whereabouts({ stages }: Scenario, { awaited }: Ring): SentencePart[] {
  const several = awaited.length > 1
  const clauses = awaited.map((where): SentencePart[] => {
    if (!('stage' in where)) return [plain(several ? t('one part waits outside') : t('it waits outside'))]
    const stage = [{ text: isolated(stages[where.stage].name), stage: where.stage }]
    if (where.at === 'waiting')
      return several
        ? tParts('one part waits at <stage></stage>', { stage })
        : tParts('it waits at <stage></stage>', { stage })
    const tags = { stage, worker: [{ text: `${where.worker + 1}`, worker: where.worker }] }
    return several
      ? tParts('worker <worker></worker> has a part of it at <stage></stage>', tags)
      : tParts('worker <worker></worker> has it at <stage></stage>', tags)
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
  const most = still.indexOf(Math.max(...still))
  const { waiting } = frame.stages[most]
  const changing = shards.findIndex(({ turns, wanted }, s) => wanted !== turns.length && !frame.stages[s].done)
  const name = (stage: number): SentencePart => ({ text: isolated(scenario.stages[stage].name), stage })
  const parts = orderSentence(scenario, ring, frame)
  if (still[most] > 0) {
    const n = shards[most].turns.length
    const which =
      n === 1
        ? t('the one shard stands')
        : t('{still, plural, one {# of {n} shards stands} other {# of {n} shards stand}}', { still: still[most], n })
    const stage = [name(most)]
    parts.push(
      plain(' '),
      ...tParts(
        'At <stage></stage> {which} still, though {waiting, plural, one {# job waits} other {# jobs wait}} there.',
        { stage },
        { which, waiting },
      ),
    )
  }
  if (changing >= 0) {
    const { turns, wanted } = shards[changing]
    const stage = [name(changing)]
    parts.push(
      plain(' '),
      ...tParts(
        '<stage></stage> is to have {wanted, plural, one {# shard} other {# shards}} instead of {had}, once the jobs that have started there have left.',
        { stage },
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
