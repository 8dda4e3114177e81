import {
  DISMISSED,
  FINISHED,
  HIRED,
  JOINED,
  LOST,
  PREFETCH,
  type Row,
  STARTED,
  THREW,
} from '../../src/pipeline/rows.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'

/** One batch of a worker, from its order to its answer. */
interface Batch {
  readonly stage: number
  readonly given: number
  readonly second: boolean
  readonly left: number[]
  readonly served: Row[]
  answered: boolean
  threw: boolean
}

/** The batches of a worker from its start to its end. */
interface Life {
  readonly hired: boolean
  readonly batches: Batch[]
}

/** The round trip of messages, computed from all batches. */
export class NaiveTrips {
  private readonly lives = new Map<number, Life>()
  private readonly scenario: Scenario
  private second = false

  constructor(scenario: Scenario) {
    this.scenario = scenario
  }

  enter(row: Row): void {
    const { kind, worker, stage, job, time } = row
    if (kind === LOST || kind === DISMISSED) this.lives.delete(worker)
    else if (kind === JOINED || kind === HIRED) this.lives.set(worker, { hired: kind === HIRED, batches: [] })
    else if (kind === STARTED && !this.lives.has(worker)) this.lives.set(worker, { hired: false, batches: [] })
    const batches = this.lives.get(worker)?.batches ?? []
    if (kind === STARTED) {
      const last = batches.at(-1)
      if (last === undefined || last.answered || this.second)
        batches.push({ stage, given: time, second: this.second, left: [], served: [], answered: false, threw: false })
      batches[batches.length - 1].left.push(job)
    }
    this.second = kind === PREFETCH
    const front = batches.find(({ answered }) => !answered)
    if (front === undefined) return
    if (kind === FINISHED) {
      front.served.push(row)
      front.left.splice(front.left.indexOf(job), 1)
    } else if (kind === THREW) front.threw = true
    front.answered = front.threw || front.left.length === 0
  }

  /** The mean over the live workers; 0 if none is measured. */
  mean(): number {
    const trips = [...this.lives.values()].map((life) => this.tripsOf(life)).filter((trips) => trips.length > 0)
    if (trips.length === 0) return 0
    const each = trips.map((all) => all.reduce((trip, took) => Math.min(took, trip + Math.floor(trip / 8) + 1)))
    return each.reduce((sum, trip) => sum + trip, 0) / each.length
  }

  private tripsOf({ hired, batches }: Life): number[] {
    const { stages, later } = this.scenario
    const phases = [this.scenario, ...later]
    const groupsCost = phases.some(({ groupSwitchCost }) => groupSwitchCost !== undefined && groupSwitchCost > 0)
    const starts = stages.some(({ startUp }) => startUp !== null)
    const stagesCost = starts || phases.some(({ switchCost }) => switchCost !== undefined && switchCost > 0)
    return batches.flatMap(({ stage, given, second, served, answered, threw }, i) => {
      if (!answered || threw || second || stages[stage].resource !== null || ((hired || starts) && i === 0)) return []
      if (i > 0 && (groupsCost || (stagesCost && batches[i - 1].stage !== stage))) return []
      return [
        served[0].time -
          given -
          Math.max(...served.map(({ ended }) => ended)) +
          Math.min(...served.map(({ began }) => began)),
      ]
    })
  }
}
