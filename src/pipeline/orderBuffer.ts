/**
 * Puts jobs that finish in any order back into the order of their tickets 0, 1, 2, ... A job is parked until all tickets
 * before its own have passed. A ring of slots, `first` being the slot of the ticket that is waited for:
 *
 *     tail 7, 4 slots      ticket  9    .    7    8
 *                          slot   [J]  [ ]  [ ]  [T]       J a parked job, T a trashed ticket: passes without a job
 *                                            ^ first       put(7, j) releases [j, J] and makes tail 10
 *
 * After Itiviti's ordered-scheduler, without its threads: what would block there is refused here.
 */
export interface OrderBuffer<Job> {
  /** The ticket that is waited for: all before it have passed. */
  readonly tail: number
  /** Jobs parked; trashed tickets that have not passed yet do not count. */
  readonly held: number
  readonly slots: number
  /**
   * Hands in the job of a ticket; returns the jobs that this releases, in order: none while an earlier ticket is missing.
   * @throws RangeError for a ticket seen already, behind the tail, or `slots` or more ahead of it; nothing has changed then.
   */
  put(ticket: number, job: Job): readonly Job[]
  /** Gives a ticket up: it passes without a job. Returns the jobs that this releases; throws as `put` does. */
  trash(ticket: number): readonly Job[]
}

const EMPTY = 0
const PARKED = 1
const TRASHED = 2

const nothing: readonly never[] = Object.freeze([])

/** @throws RangeError unless `slots` is a whole number of at least 1. */
export function createOrderBuffer<Job>(slots: number): OrderBuffer<Job> {
  if (!(Number.isSafeInteger(slots) && slots >= 1)) throw new RangeError(`slots must be a whole number of at least 1, not ${slots}`)
  const states = new Uint8Array(slots)
  const jobs: (Job | undefined)[] = new Array(slots).fill(undefined)
  let tail = 0
  let first = 0
  let held = 0

  /** The slot of a ticket that may be handed in now. */
  function slotOf(ticket: number): number {
    if (!(Number.isSafeInteger(ticket) && ticket >= tail && ticket - tail < slots)) throw refused(ticket, 'is outside the window')
    const ahead = first + (ticket - tail)
    const slot = ahead < slots ? ahead : ahead - slots
    if (states[slot] !== EMPTY) throw refused(ticket, 'was handed in before')
    return slot
  }

  function refused(ticket: number, reason: string): RangeError {
    return new RangeError(`ticket ${ticket} ${reason}: tail ${tail}, slots ${slots}, so tickets ${tail} to ${tail + slots - 1} are taken, each once`)
  }

  function pass(): void {
    tail++
    first = first + 1 === slots ? 0 : first + 1
  }

  /** Lets pass what stands at the tail, adding its jobs to `released`. */
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
        return states[first] === EMPTY ? nothing : drainInto([])
      }
      states[slot] = TRASHED
      return nothing
    },
  }
}
