/** Puts finished jobs in order of tickets, in a ring of slots; a trashed ticket passes without a job. After Itiviti's ordered-scheduler, but never blocks. */
export interface OrderBuffer<Job> {
  /** The ticket that is waited for: all before it have passed. */
  readonly tail: number
  /** Parked jobs. Trashed tickets that have not passed do not count. */
  readonly held: number
  readonly slots: number
  /** Hands in a job, returns those it releases, in order. Throws RangeError for a ticket seen, behind the tail or `slots` ahead, and changes nothing. */
  put(ticket: number, job: Job): readonly Job[]
  /** Gives up a ticket, which passes without a job. Returns the jobs that this releases. Throws as `put` does. */
  trash(ticket: number): readonly Job[]
}

const EMPTY = 0
const PARKED = 1
const TRASHED = 2

const nothing: readonly never[] = Object.freeze([])

/** @throws RangeError unless `slots` is a whole number of at least 1. */
export function createOrderBuffer<Job>(slots: number): OrderBuffer<Job> {
  if (!(Number.isSafeInteger(slots) && slots >= 1))
    throw new RangeError(`slots must be a whole number of at least 1, not ${slots}`)
  const states = new Uint8Array(slots)
  const jobs: (Job | undefined)[] = new Array(slots).fill(undefined)
  let tail = 0
  let first = 0
  let held = 0

  function slotOf(ticket: number): number {
    if (!(Number.isSafeInteger(ticket) && ticket >= tail && ticket - tail < slots))
      throw refused(ticket, 'is outside the window')
    const ahead = first + (ticket - tail)
    const slot = ahead < slots ? ahead : ahead - slots
    if (states[slot] !== EMPTY) throw refused(ticket, 'was handed in before')
    return slot
  }

  function refused(ticket: number, reason: string): RangeError {
    return new RangeError(
      `ticket ${ticket} ${reason}: tail ${tail}, slots ${slots}, so tickets ${tail} to ${tail + slots - 1} are taken, each once`,
    )
  }

  function pass(): void {
    tail++
    first = first + 1 === slots ? 0 : first + 1
  }

  /** Moves the tail past parked and trashed tickets up to the first gap, and adds the jobs to `released`. */
  function drainInto(released: Job[]): readonly Job[] {
    while (states[first] !== EMPTY) {
      if (states[first] === PARKED) {
        released.push(jobs[first] as Job)
        jobs[first] = undefined
        held--
      }
      states[first] = EMPTY
      pass()
    }
    return released
  }

  return {
    slots,
    get tail() {
      return tail
    },
    get held() {
      return held
    },
    put(ticket, job) {
      const slot = slotOf(ticket)
      if (slot === first) {
        pass()
        return drainInto([job])
      }
      states[slot] = PARKED
      jobs[slot] = job
      held++
      return nothing
    },
    trash(ticket) {
      const slot = slotOf(ticket)
      if (slot === first) {
        pass()
        return drainInto([])
      }
      states[slot] = TRASHED
      return nothing
    },
  }
}
