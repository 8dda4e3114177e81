import type { Scenario } from '../scenario/scenario.ts'
import type { Frame } from './frame.ts'
import type { Ring } from './order.ts'
import type { Part } from './sentence.ts'

/**
 * The ring in plain words. Workers are numbered from 1, as people do; tickets are the jobs' numbers:
 * "Ticket 41 is missing: worker 3 has it at Enrich; 7 jobs wait behind it."
 */
export function orderSentence(scenario: Scenario, ring: Ring, frame: Frame): Part[] {
  if (ring.parked === 0) return [{ text: settled(scenario, ring, frame) }]
  const parts = [{ text: `Ticket ${ring.tail} is missing: ` }, ...whereabouts(scenario, ring), { text: `; ${jobsWait(ring.parked)} behind it.` }]
  const idle = idleForOrder(scenario, ring, frame)
  if (idle === 0) return parts
  return [...parts, { text: ` ${idle === 1 ? 'A worker stands' : `${idle} workers stand`} idle: the ring reaches no further.` }]
}

function settled({ order }: Scenario, { tail, slots }: Ring, { arrived }: Frame): string {
  const room = order.kind === 'buffer' ? ` The ring has room for ${slots === 1 ? 'one ticket' : `${slots} tickets`}.` : ''
  if (arrived === 0) return `Nothing has come yet.${room}`
  if (tail >= arrived) return 'All that has come has left, in order.'
  return order.kind === 'buffer' ? `In order: nobody waits for an earlier ticket. Ticket ${tail} is next.` : `Ticket ${tail} is the next to leave.`
}

/** Where it is; of a job in parts, where each of them is. */
function whereabouts({ stages }: Scenario, { awaited }: Ring): Part[] {
  const [it, has] = awaited.length > 1 ? ['one part waits', ' has a part of it'] : ['it waits', ' has it']
  return awaited.flatMap((where, k): Part[] => {
    const before = k === 0 ? '' : k === awaited.length - 1 ? ' and ' : ', '
    if (!('stage' in where)) return [{ text: `${before}${it} outside` }]
    const at = { text: stages[where.stage].name, stage: where.stage }
    if (where.at === 'waiting') return [{ text: `${before}${it} at ` }, at]
    return [{ text: `${before}worker ` }, { text: `${where.worker + 1}`, worker: where.worker }, { text: `${has} at ` }, at]
  })
}

function jobsWait(jobs: number): string {
  return jobs === 1 ? '1 job waits' : `${jobs} jobs wait`
}

/** Workers that idle although jobs wait, where nothing but the ring can be the reason. */
function idleForOrder({ policy, stages, order }: Scenario, { beyond }: Ring, frame: Frame): number {
  const waiting = frame.stages.reduce((sum, stage) => sum + stage.waiting, 0)
  if (order.kind !== 'buffer' || !policy.lend || beyond === 0 || waiting === 0 || stages.some(({ capacity }) => capacity !== null)) return 0
  return frame.workers.filter(({ status }) => status === 'idle').length
}
