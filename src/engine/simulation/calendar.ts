import type { Micros } from '../../scenario/model/scenario.ts'

/** At most one booking per worker; of one instant the lowest number is first. A tournament: node 1 won all, 2i and 2i + 1 play match i; O(log workers). */
export class Calendar {
  /** By worker, the time of its booking; Infinity: none. */
  readonly due: Float64Array
  private readonly winners: Uint16Array
  private readonly leaves: number
  /** The matches that `firsts` still has to visit: at most one per level, plus one. */
  private readonly open = new Int32Array(32)

  constructor(workers: number) {
    let leaves = 1
    while (leaves < workers) leaves *= 2
    this.leaves = leaves
    this.due = new Float64Array(leaves).fill(Infinity)
    this.winners = new Uint16Array(2 * leaves)
    for (let worker = 0; worker < leaves; worker++) this.winners[leaves + worker] = worker
    for (let match = leaves - 1; match > 0; match--) this.winners[match] = this.winners[2 * match]
  }

  get first(): number {
    return this.winners[1]
  }

  /** When it is due; Infinity: there is no booking. */
  get next(): Micros {
    return this.due[this.winners[1]]
  }

  isBooked(worker: number): boolean {
    return this.due[worker] !== Infinity
  }

  take(): number {
    const worker = this.first
    this.set(worker, Infinity)
    return worker
  }

  /** Removes a worker's booking. Returns whether there was one. */
  cancel(worker: number): boolean {
    const booked = this.isBooked(worker)
    if (booked) this.set(worker, Infinity)
    return booked
  }

  /** Whether no other worker is due when the first is. */
  get isFirstAlone(): boolean {
    const { due, winners } = this
    const first = winners[1]
    for (let match = this.leaves + first; match > 1; match >>= 1)
      if (due[winners[match ^ 1]] === due[first]) return false
    return true
  }

  /** Fills in the workers that are due first, by number, and returns how many: visits only matches that one of them has won. */
  firsts(workers: Int32Array): number {
    const { due, winners, leaves, open } = this
    const time = this.next
    let found = 0
    open[0] = 1
    for (let left = 1; left > 0; ) {
      const match = open[--left]
      if (due[winners[match]] !== time) continue
      if (match >= leaves) workers[found++] = match - leaves
      else {
        open[left++] = 2 * match + 1
        open[left++] = 2 * match
      }
    }
    return found
  }

  /** Books a worker, and replaces its earlier booking. */
  set(worker: number, time: Micros): void {
    const { due, winners } = this
    due[worker] = time
    for (let match = (this.leaves + worker) >> 1; match > 0; match >>= 1) {
      const left = winners[2 * match]
      const right = winners[2 * match + 1]
      winners[match] = due[left] <= due[right] ? left : right
    }
  }
}

/** Workers that share cores evenly. One virtual clock counts the work that each gets done, so nothing is booked again when a worker starts or stops burning. */
export type SharedCores = { cores: number; readonly calendar: Calendar; burning: number; virtual: number; wall: Micros }

/** The rounding error of the virtual clock is below this, which is far below the microsecond of the wall clock. */
const SLACK = 0.01

export function createSharedCores(cores: number, workers: number): SharedCores {
  return { cores, calendar: new Calendar(workers), burning: 0, virtual: 0, wall: 0 }
}

export function passTime(shared: SharedCores, wall: Micros): void {
  shared.virtual += (wall - shared.wall) * speed(shared)
  shared.wall = wall
}

/** A worker begins to burn `work` microseconds now. */
export function burn(shared: SharedCores, worker: number, work: Micros): void {
  shared.calendar.set(worker, shared.virtual + work)
  shared.burning++
}

/** A worker stops burning before its work is done. */
export function stopBurning(shared: SharedCores, worker: number): void {
  if (shared.calendar.cancel(worker)) shared.burning--
}

/** Returns when, on the wall clock, the next worker is done if none starts or stops burning; Infinity if none burns. */
export function nextDone(shared: SharedCores): Micros {
  const { calendar } = shared
  if (shared.burning === 0) return Infinity
  const left = calendar.next - shared.virtual
  return shared.wall + Math.max(0, Math.ceil((left - SLACK) / speed(shared)))
}

/** Appends the workers that are done now to `workers`. */
export function takeDone(shared: SharedCores, workers: number[]): void {
  const { calendar } = shared
  for (; calendar.next - shared.virtual < SLACK; shared.burning--) workers.push(calendar.take())
}

function speed({ cores, burning }: SharedCores): number {
  return burning > cores ? cores / burning : 1
}
