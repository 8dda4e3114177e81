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
 * Time that is made up: what is to come stands in a list, and the clock shows the time of what is next. The clock may leap besides,
 * forwards as after a laptop's sleep or backwards as no clock should, without anything happening meanwhile; and timers come late.
 */
export class MadeUpTime {
  /** What has really passed, and by how much the clock has leapt. */
  passed: Micros = 0
  leapt: Micros = 0
  /** How late timers may be. */
  late: Micros = 0
  private coming: Coming[] = []
  private nth = 0
  private readonly chance: Chance

  constructor(chance: Chance) {
    this.chance = chance
  }

  now = (): Micros => 1_000_000_000_000 + this.passed + this.leapt

  /** Calls after this many microseconds; returns what takes that back. */
  later(micros: Micros, call: () => void): () => void {
    const one: Coming = { at: this.passed + Math.max(0, micros), nth: this.nth++, call, taken: false }
    let place = this.coming.length
    while (place > 0 && this.coming[place - 1].at <= one.at) place--
    // The next stands last; of one time the first is next.
    this.coming.splice(place, 0, one)
    return () => {
      one.taken = true
    }
  }

  after: Timer = (milliseconds, call) => this.later(Math.ceil(milliseconds * 1000) + this.delay(), call)

  every: Timer = (milliseconds, call) => {
    let takeBack = () => {}
    const again = () => {
      takeBack = this.later(milliseconds * 1000 + this.delay(), () => {
        again()
        call()
      })
    }
    again()
    return () => takeBack()
  }

  /** Lets the next thing happen; false when nothing is to come. */
  step(): boolean {
    for (let next = this.coming.pop(); next !== undefined; next = this.coming.pop()) {
      if (next.taken) continue
      this.passed = next.at
      next.call()
      return true
    }
    return false
  }

  /** What would still happen. */
  get left(): number {
    return this.coming.filter(({ taken }) => !taken).length
  }

  private delay(): Micros {
    return this.late === 0 ? 0 : this.chance.below(this.late)
  }
}
