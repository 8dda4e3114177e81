import { msg } from '../../../language/msg.ts'
import type { ThreadReply, ThrownHere, ToThread } from '../../runner/protocol.ts'
import { UNREADABLE, WRONG } from '../protocol/checkReply.ts'
import { comparable } from './structured.ts'

type Batch = Extract<ToThread, { apportion: 'batch' }>

/** A thread of a device, which serves inputs of others between its own. */
export interface Member {
  /** Which start of a device it belongs to. */
  readonly life: string
  /** How many batches it has; Infinity while it cannot serve. */
  load(): number
  /** Resolves with the reply; with null if there is none. */
  help(batch: Omit<Batch, 'number'>): Promise<ThreadReply | null>
  /** Called when its device is to be set aside. */
  refuse(reason: string): void
}

type Result = { readonly value: unknown } | { readonly error: unknown }

/** A result of an input and the devices that agree on it. All errors are one result, with null as its bytes. */
interface Side {
  readonly result: Result
  readonly bytes: Uint8Array | null
  readonly members: Member[]
}

/** After this many errors that others did not repeat, most of all of them, a device is set aside. */
const MAX_ALONE = 3
const ALONE = msg('failed at inputs that others can do')

export type Quorum = ReturnType<typeof createQuorum>

/**
 * Has inputs served by several devices. Each output is to come from `verify` of them, and that of most of them counts: a device with another one is
 * refused. What throws on one device is always tried by another one before it counts as a try, and a device that is mostly alone with its
 * errors is refused. Where fewer devices lend, those that do are asked.
 */
export function createQuorum(verify: number) {
  const members = new Set<Member>()
  /** By device: how many of its errors others repeated, and how many not. */
  const known = new Map<string, { repeated: number; alone: number }>()

  function memberBeside(asked: ReadonlySet<string>): Member | null {
    let best: Member | null = null
    for (const member of members)
      if (!asked.has(member.life) && member.load() < (best?.load() ?? Infinity)) best = member
    return best
  }

  function isOpen(sides: readonly Side[]): boolean {
    const { outputs, errors } = countOf(sides)
    return outputs === 0 ? errors < Math.max(2, verify) : outputs < verify || majorityOf(sides, outputs) === undefined
  }

  /** Returns how many more devices have to serve an input at least. */
  const missing = (sides: readonly Side[]) => Math.max(1, verify - countOf(sides).outputs - countOf(sides).errors)

  function decide(sides: readonly Side[]): Side {
    const { outputs, errors } = countOf(sides)
    const most = majorityOf(sides, outputs)
    if (most !== undefined && (outputs >= verify || outputs > errors)) return most
    const threw = sides.find(({ bytes }) => bytes === null)
    if (threw !== undefined && errors >= outputs) return threw
    const different = sides.length - (errors > 0 ? 1 : 0)
    const doubt =
      different === outputs ? ' A function that does not return the same output each time cannot be verified.' : ''
    const error = new Error(`${outputs} devices returned ${different} different outputs.${doubt}`)
    return { result: { error }, bytes: null, members: [] }
  }

  /** Notes the devices that do not stand on this side. */
  function judge(sides: readonly Side[], right: Side): void {
    for (const side of sides)
      for (const { life, refuse } of side.members) {
        if (side.bytes !== null) {
          if (side !== right && right.bytes !== null) refuse(WRONG)
          continue
        }
        const counts = known.get(life) ?? { repeated: 0, alone: 0 }
        known.set(life, counts)
        if (right.bytes !== null) counts.alone++
        else if (side.members.length > 1) counts.repeated++
      }
  }

  function refuseAlone({ life, refuse }: Member): void {
    const { alone, repeated } = known.get(life) ?? { alone: 0, repeated: 0 }
    if (alone >= MAX_ALONE && alone > repeated) refuse(ALONE)
  }

  const canCheck = ({ life }: Member, { keep, values, redo }: Batch, { thrown }: ThreadReply): boolean =>
    (verify > 1 || thrown.length > 0) &&
    !keep &&
    values !== null &&
    redo === null &&
    memberBeside(new Set([life])) !== null

  return {
    verify,
    join: (member: Member) => members.add(member),
    leave: (member: Member) => members.delete(member),
    canCheck,
    /** Returns the reply with what counts: an output of others has a length of 0, since this machine did not serve it. Null: the device was refused. */
    async replyOf(own: Member, batch: Batch, reply: ThreadReply): Promise<ThreadReply | null> {
      if (!canCheck(own, batch, reply)) return reply
      const votes = new Map<number, Side[]>(Array.from(batch.jobs, (job) => [job, []]))
      const asked = new Set([own.life])
      if (!addVotes(votes, own, batch.jobs, reply)) return null
      for (;;) {
        const open = batch.jobs.filter((job) => isOpen(votes.get(job) as Side[]))
        const chosen: Member[] = []
        for (let k = open.reduce((most, job) => Math.max(most, missing(votes.get(job) as Side[])), 0); k > 0; k--) {
          const next = memberBeside(asked)
          if (next === null) break
          asked.add(next.life)
          chosen.push(next)
        }
        if (chosen.length === 0) break
        const replies = await Promise.all(chosen.map((member) => member.help(partOf(batch, open))))
        for (const [k, each] of replies.entries()) if (each !== null) addVotes(votes, chosen[k], open, each)
      }
      const results = new Map<number, Result>()
      let isWrong = false
      for (const [job, sides] of votes) {
        const right = decide(sides)
        judge(sides, right)
        if (right.members.includes(own)) continue
        results.set(job, right.result)
        if (right.bytes !== null && sides[0].bytes !== null) isWrong = true
      }
      refuseAlone(own)
      if (isWrong) return null
      return results.size === 0 ? reply : withResults(batch, reply, results)
    },
  }
}

function countOf(sides: readonly Side[]): { readonly outputs: number; readonly errors: number } {
  const errors = sides.find(({ bytes }) => bytes === null)?.members.length ?? 0
  return { outputs: sides.reduce((sum, { members }) => sum + members.length, 0) - errors, errors }
}

const majorityOf = (sides: readonly Side[], outputs: number) =>
  sides.find(({ bytes, members }) => bytes !== null && 2 * members.length > outputs)

/** Returns false if the device was refused, because its values cannot be compared. */
function addVotes(votes: ReadonlyMap<number, Side[]>, member: Member, jobs: Int32Array, reply: ThreadReply): boolean {
  try {
    for (const [job, result] of resultsOf(jobs, reply)) {
      const sides = votes.get(job) as Side[]
      const bytes = 'error' in result ? null : comparable(result.value)
      const side = sides.find((each) => isEqual(each.bytes, bytes))
      if (side === undefined) sides.push({ result, bytes, members: [member] })
      else side.members.push(member)
    }
    return true
  } catch {
    member.refuse(UNREADABLE)
    return false
  }
}

function isEqual(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null
    ? one === other
    : one.length === other.length && one.every((byte, k) => byte === other[k])
}

function resultsOf(jobs: Int32Array, { values, thrown }: ThreadReply): (readonly [job: number, Result])[] {
  const errors = new Map(thrown.map(({ job, error }) => [job, error]))
  let next = 0
  return Array.from(jobs, (job) => [job, errors.has(job) ? { error: errors.get(job) } : { value: values[next++] }])
}

function partOf({ stage, jobs, tries, values }: Batch, some: Int32Array): Omit<Batch, 'number'> {
  const places = Array.from(some, (job) => jobs.indexOf(job))
  return {
    ...{
      apportion: 'batch',
      stage,
      jobs: some,
      tries: tries && places.map((k) => tries[k]),
      values: places.map((k) => values?.[k]),
    },
    ...{ redo: null, keep: false, through: [], forget: [] },
  }
}

function withResults({ jobs }: Batch, reply: ThreadReply, results: ReadonlyMap<number, Result>): ThreadReply {
  const ended: number[] = []
  const values: unknown[] = []
  const thrown: ThrownHere[] = []
  let before = 0
  for (const [job, own] of resultsOf(jobs, reply)) {
    const result = results.get(job) ?? own
    const end = 'error' in own ? (ended.at(-1) ?? reply.began) : reply.ended[before++]
    if ('error' in result) thrown.push({ job, error: result.error })
    else {
      ended.push(end)
      values.push(result.value)
    }
  }
  return { ...reply, ended: Float64Array.from(ended), values, thrown }
}
