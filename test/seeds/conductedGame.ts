import type { ConductedRun, ThreadsListener } from '../../src/engine/conductor/conductedRun.ts'
import type { ConductorOptions } from '../../src/engine/conductor/conductor.ts'
import type { Environment, StartThread } from '../../src/engine/conductor/environment.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import type { Micros, Scenario } from '../../src/scenario/model/scenario.ts'
import { countJobs } from '../../src/scenario/model/sources.ts'
import { createServices } from '../../src/workload/service.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import { dismissedWorkersLeave, stopIsAtOnce } from './invariants.ts'
import type { ThreadWorld } from './madeUpThread.ts'
import { MadeUpTime } from './madeUpTime.ts'
import type { Plan } from './plans.ts'
import { Referee } from './referee.ts'
import { drawForThreads } from './threadPlans.ts'
import type { Game } from './world.ts'

/** A worker is given up after about twenty ticks of the pool, and an empty pool after 10 s, so a fault costs a limited number of events. */
const EVENTS_A_FAULT = 2500

/**
 * A game that the real conductor plays with a simulated clock and timers. Stop may come at any event, and the referee checks every instant.
 * Subclasses provide the threads and their faults.
 */
export abstract class ConductedGame implements ThreadWorld {
  readonly time: MadeUpTime
  readonly chance: Chance
  /** The longest time that a batch was away, without jumps of the clock. */
  longest: Micros = 0
  leaps = 0
  event = 0
  protected run: ConductedRun | null = null
  protected ending: Ending | null = null
  /** How many faults may still happen, and how many were allowed at the start. */
  protected faults: number
  protected readonly budget: number
  /** The usual delay of messages. */
  private readonly slow: number
  protected readonly scenario: Scenario
  protected readonly referee: Referee
  /** The first error that a callback from the conductor found. */
  private broken: unknown = null

  constructor(plan: Plan, scenario: Scenario, chance: Chance, referee: Referee) {
    this.scenario = scenario
    this.chance = chance
    this.referee = referee
    this.time = new MadeUpTime(chance)
    this.faults = Math.min(plan.faults, chance.pick([0, 1, 3, 8]))
    this.budget = this.faults
    this.slow = chance.pick([20, 300, 20_000])
    if (this.fault(20)) this.time.late = chance.pick([5_000, 140_000])
  }

  /** Returns the engine that plays the run. */
  protected abstract engine(environment: Omit<Environment, 'start'>, options: ConductorOptions): Engine
  /** Makes further checks of an instant: its facts are the rows from `from` to `orders`, its consequences and orders follow. */
  protected abstract inspect(run: ConductedRun, from: number, orders: number): void
  /** Called between two events of a run; may cause faults. */
  protected abstract causeFaults(run: ConductedRun): void
  /** Called when the run is over. */
  protected abstract afterwards(): Promise<void>

  async play(): Promise<void> {
    const { time, chance, scenario, referee } = this
    const engine = this.engine(
      { now: time.now, after: time.after, every: time.every, cores: chance.pick([0, 1, 2, 64]) },
      { watch: (run, from, orders) => this.guard(() => this.instant(run, from, orders)) },
    )
    const listener: ThreadsListener = {
      journal: (journal) => this.guard(() => this.run !== null && referee.appendToTrace(this.run.core, journal)),
      failure: () => {},
      ended: (ending) => {
        this.ending = ending
      },
    }
    const over = engine.start(scenario, listener).catch((error) => {
      this.broken ??= error
    })
    const events =
      400 +
      60 * countJobs(scenario.source) * scenario.stages.length +
      EVENTS_A_FAULT * (1 + this.budget + scenario.workerEvents.length)
    const stopAfter = this.fault(15) ? chance.below(chance.pick([4, 40, 200])) : Infinity
    for (let n = 0; this.ending === null; n = ++this.event) {
      await settled()
      if (this.broken !== null) throw this.broken
      if (this.ending !== null) break
      if (this.run !== null) this.causeFaults(this.run)
      if (n >= stopAfter) {
        engine.stop()
        await settled()
        stopIsAtOnce(this.ending)
        break
      }
      if (this.fault(1)) this.leap()
      claim(n < events, () => `the run does not end within ${events} events`)
      claim(time.step(), () => 'no event is left, and the run has not ended')
    }
    await over
    if (this.broken !== null) throw this.broken
    await this.afterwards()
    if (this.broken !== null) throw this.broken
    if (this.run === null) return
    referee.end(this.run.core, this.ending)
    referee.review(this.run.core, this.run.journal)
  }

  fault(percent: number): boolean {
    if (this.faults <= 0 || !this.chance.percent(percent)) return false
    this.faults--
    return true
  }

  delay(): Micros {
    return this.chance.percent(5) ? this.chance.below(20_000) : 1 + this.chance.below(this.slow)
  }

  /** Runs up to this many events within this time. */
  protected async runEvents(events: number, micros: Micros = Infinity): Promise<void> {
    const until = this.time.passed + micros
    for (let n = 0; n < events && this.time.passed < until && this.time.step(); n++) {
      this.event++
      await settled()
    }
  }

  private leap(): void {
    this.leaps++
    this.time.leapt += this.chance.pick([3_600_000_000, 8_000_000, 300_000, -300_000, -60_000_000])
  }

  private instant(run: ConductedRun, from: number, orders: number): void {
    this.run = run
    this.inspect(run, from, orders)
    if (!run.inbox.stopped) dismissedWorkersLeave(run)
  }

  /** Keeps errors of our checks: the engine would report a thrown error as an error of the run. */
  protected guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.broken ??= error
    }
  }
}

/** Waits until all effects of one event are done: no promise chain in the conductor is longer. */
async function settled(): Promise<void> {
  for (let i = 0; i < 16; i++) await null
}

/** For engines that do not start threads themselves. */
export const startsNothing: StartThread = () => {
  throw new Error('this engine starts no threads of its own')
}

/** Plays one game of a kind with the real conductor. Throws at the first broken rule. */
export async function playConducted(
  Kind: new (plan: Plan, scenario: Scenario, chance: Chance, referee: Referee) => ConductedGame,
  plan: Plan,
  watch: (game: Game) => void = () => {},
): Promise<Game> {
  const scenario = drawForThreads(plan)
  // Independent of the random draws of the scenario.
  const chance = createChance(plan.seed ^ 0x19b3)
  const referee = new Referee(scenario, createServices(scenario).at, chance, plan)
  const game = { scenario, referee }
  watch(game)
  await new Kind(plan, scenario, chance, referee).play()
  return game
}
