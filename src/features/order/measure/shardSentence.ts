import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { plain, type SentencePart, tParts } from '../../../measures/decisions/speech.ts'
import type { Frame } from '../../../measures/frame/frame.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Ring } from './order.ts'
import { orderSentence } from './orderSentence.ts'
import type { ShardTurn, StageShards } from './shardState.ts'

/**
 * Returns the shards in plain words: "Ticket 41 is missing: worker 3 has it at Enrich; 2 jobs wait behind it. At Parse 2 of 3
 * shards stand still, though 9 jobs wait there. Write is to have 3 shards instead of 2, when all that is begun there has
 * passed."
 */
export function shardSentence(scenario: Scenario, ring: Ring, shards: readonly StageShards[], frame: Frame): SentencePart[] {
  const still = shards.map(({ turns }, s) => (frame.stages[s].waiting > 0 ? turns.filter(standsStill).length : 0))
  const most = still.indexOf(Math.max(...still))
  const { waiting } = frame.stages[most]
  const changing = shards.findIndex(({ turns, wanted }, s) => wanted !== turns.length && !frame.stages[s].done)
  const name = (stage: number): SentencePart => ({ text: isolated(scenario.stages[stage].name), stage })
  const parts = orderSentence(scenario, ring, frame)
  if (still[most] > 0) {
    const n = shards[most].turns.length
    const which =
      n === 1 ? t('the one shard stands') : t('{still, plural, one {# of {n} shards stands} other {# of {n} shards stand}}', { still: still[most], n })
    const stage = [name(most)]
    parts.push(
      plain(' '),
      ...tParts('At <stage></stage> {which} still, though {waiting, plural, one {# job waits} other {# jobs wait}} there.', { stage }, { which, waiting }),
    )
  }
  if (changing >= 0) {
    const { turns, wanted } = shards[changing]
    const stage = [name(changing)]
    parts.push(
      plain(' '),
      ...tParts(
        '<stage></stage> is to have {wanted, plural, one {# shard} other {# shards}} instead of {had}, when all that is begun there has passed.',
        { stage },
        { wanted, had: turns.length },
      ),
    )
  }
  return parts
}

/** Its ticket has not come, or its last job has not left. */
function standsStill({ state, held }: ShardTurn): boolean {
  return state === 'missing' || (state === 'here' && held !== null && held >= 0)
}
