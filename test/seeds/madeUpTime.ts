import type { Timer } from '../../src/engine/conductor/environment.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import type { Chance } from '../fixtures/chance.ts'

interface Coming {
  readonly at: Micros
  readonly nth: number
  readonly call: () => void
  taken: boolean
}

/**
 * Simulated time: a list of future calls, and a clock that shows the time of the next one. The clock may also jump
 * forwards, as after the sleep of a laptop, or backwards, and timers may be late.
 */
export class MadeUpTime {
  /** The time that really passed, and the sum of the jumps of the clock. */
  passed: Micros = 0
  leapt: Micros = 0
  /** The largest delay of timers. */
  late: Micros = 0
  private coming: Coming[] = []
  private nth = 0
  private readonly chance: Chance

  constructor(chance: Chance) {
    this.chance = chance
  }

  now = (): Micros => 1_000_000_000_000 + this.passed + this.leapt

  /** Calls after this many microseconds. Returns a function that cancels the call. */
  later(micros: Micros, call: () => void): () => void {
    const one: Coming = { at: this.passed + Math.max(0, micros), nth: this.nth++, call, taken: false }
    let place = this.coming.length
    while (place > 0 && this.coming[place - 1].at <= one.at) place--
    // The next call is last in the list; of equal times the earlier entry is next.
    this.coming.splice(place, 0, one)
    return () => {
      one.taken = true
    }
  }

  after: Timer = (milliseconds, call) => this.later(Math.ceil(milliseconds * 1000) + this.delay(), call)

  every: Timer = (milliseconds, call) => {
    let cancel = () => {}
    const again = () => {
      cancel = this.later(milliseconds * 1000 + this.delay(), () => {
        again()
        call()
      })
    }
    again()
    return () => cancel()
  }

  /** Runs the next call; false if there is none. */
  step(): boolean {
    for (let next = this.coming.pop(); next !== undefined; next = this.coming.pop()) {
      if (next.taken) continue
      this.passed = next.at
      next.call()
      return true
    }
    return false
  }

  /** Returns how many calls remain. */
  get left(): number {
    return this.coming.filter(({ taken }) => !taken).length
  }

  private delay(): Micros {
    return this.late === 0 ? 0 : this.chance.below(this.late)
  }
}
