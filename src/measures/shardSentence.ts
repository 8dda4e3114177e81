import type { Scenario } from '../scenario/scenario.ts'
import { counted } from '../scenario/words.ts'
import type { Frame } from './frame.ts'
import type { Ring } from './order.ts'
import { orderSentence } from './orderSentence.ts'
import type { Part } from './sentence.ts'
import type { StageShards } from './shards.ts'

/**
 * The shards in plain words: "Ticket 41 is missing: worker 3 has it at Enrich; 2 jobs wait behind it. 9 jobs wait at Parse for an
 * earlier ticket of their shard. Write is to have 3 shards instead of 2, when all that is begun there has passed."
 */
export function shardSentence(scenario: Scenario, ring: Ring, shards: readonly StageShards[], frame: Frame): Part[] {
  const most = shards.reduce((best, { behind }, s) => (behind > shards[best].behind ? s : best), 0)
  const { behind } = shards[most]
  const changing = shards.findIndex(({ turns, wanted }, s) => wanted !== turns.length && !frame.stages[s].done)
  const name = (stage: number): Part => ({ text: scenario.stages[stage].name, stage })
  return [
    ...orderSentence(scenario, ring, frame),
    ...(behind === 0
      ? []
      : [
          { text: ` ${counted(behind, 'job')} ${behind === 1 ? 'waits' : 'wait'} at ` },
          name(most),
          { text: ` for an earlier ticket of ${behind === 1 ? 'its' : 'their'} shard.` },
        ]),
    ...(changing < 0
      ? []
      : [
          { text: ' ' },
          name(changing),
          {
            text: ` is to have ${counted(shards[changing].wanted, 'shard')} instead of ${shards[changing].turns.length}, when all that is begun there has passed.`,
          },
        ]),
  ]
}
