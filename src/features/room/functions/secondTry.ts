import { msg } from '../../../language/msg.ts'
import type { ThreadReply, ToThread } from '../../runner/protocol.ts'

type Batch = Extract<ToThread, { apportion: 'batch' }>

/** What a thread of a device offers to others: it serves one input of theirs between its own. */
export interface Helper {
  /** Which start of a device it belongs to. */
  readonly life: string
  /** How many batches it has; Infinity while it cannot serve. */
  load(): number
  /** Resolves with the reply; with null if there is none. */
  help(batch: Omit<Batch, 'number'>): Promise<ThreadReply | null>
}

/** After this many throws that others did not repeat, most of all of them, a device is set aside. */
const MAX_ALONE = 3
const ALONE = msg('failed at inputs that others can do')

/**
 * Has what throws on one device tried by another one, before it counts as a try. If the other one can do it, its output is taken, and the
 * device is noted; a device that is mostly alone with what it throws is refused.
 */
export function createSecondTries() {
  const helpers = new Set<Helper>()
  /** By device: how many of its throws others repeated, and how many not. */
  const known = new Map<string, { repeated: number; alone: number }>()

  function helperFor(life: string): Helper | null {
    let best: Helper | null = null
    for (const helper of helpers) if (helper.life !== life && helper.load() < (best?.load() ?? Infinity)) best = helper
    return best
  }

  async function tried(life: string, batch: Batch, place: number): Promise<unknown[] | null> {
    const { stage, jobs, tries, values } = batch
    const reply = await helperFor(life)?.help({
      ...{ apportion: 'batch', stage, jobs: Int32Array.of(jobs[place]), tries: tries === null ? null : [tries[place]], values: [values?.[place]] },
      ...{ redo: null, keep: false, through: [], forget: [] },
    })
    if (!reply) return null
    const counts = known.get(life) ?? { repeated: 0, alone: 0 }
    known.set(life, counts)
    if (reply.thrown.length > 0) counts.repeated++
    else counts.alone++
    return reply.values
  }

  return {
    join: (helper: Helper) => helpers.add(helper),
    leave: (helper: Helper) => helpers.delete(helper),
    /** Whether another device can try what this reply threw. */
    canTry: (life: string, { keep, values, redo }: Batch, { thrown }: ThreadReply): boolean =>
      thrown.length > 0 && !keep && values !== null && redo === null && helperFor(life) !== null,
    /** Returns the reply with the outputs of other devices, each with a length of 0, since this machine did not serve it. Calls `refuse` if the device is to be set aside. */
    async replyOf(life: string, batch: Batch, reply: ThreadReply, refuse: (reason: string) => void): Promise<ThreadReply> {
      const outputs = new Map<number, unknown>()
      await Promise.all(
        reply.thrown.map(async ({ job }) => {
          const values = await tried(life, batch, batch.jobs.indexOf(job))
          if (values !== null && values.length === 1) outputs.set(job, values[0])
        }),
      )
      const { alone, repeated } = known.get(life) ?? { alone: 0, repeated: 0 }
      if (alone >= MAX_ALONE && alone > repeated) refuse(ALONE)
      return outputs.size === 0 ? reply : joined(batch, reply, outputs)
    },
  }
}

function joined({ jobs }: Batch, reply: ThreadReply, outputs: ReadonlyMap<number, unknown>): ThreadReply {
  const thrown = reply.thrown.filter(({ job }) => !outputs.has(job))
  const fails = new Set(reply.thrown.map(({ job }) => job))
  const ended: number[] = []
  const values: unknown[] = []
  /** By place in the values before: the place now. */
  const places: number[] = []
  let before = 0
  for (const job of jobs) {
    if (outputs.has(job)) {
      ended.push(ended.at(-1) ?? reply.began)
      values.push(outputs.get(job))
    } else if (!fails.has(job)) {
      places[before] = values.length
      ended.push(reply.ended[before])
      values.push(reply.values[before++])
    }
  }
  return { ...reply, ended: Float64Array.from(ended), values, moved: reply.moved.map(([at, buffers]) => [places[at], buffers] as const), thrown }
}
