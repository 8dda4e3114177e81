import type { ConductedRun, ThreadsListener } from '../../src/engine/conductor/conductedRun.ts'
import { createConductor } from '../../src/engine/conductor/conductor.ts'
import type { StartThread } from '../../src/engine/conductor/thread.ts'
import type { Ending } from '../../src/pipeline/journal.ts'
import { LOST, STARTED } from '../../src/pipeline/rows.ts'
import { countJobs } from '../../src/scenario/model/limits.ts'
import type { Micros, Scenario } from '../../src/scenario/model/scenario.ts'
import { createServices } from '../../src/workload/service.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import {
  aReplyCountsOnce,
  nobodyWellIsGivenUp,
  nothingIsLeftRunning,
  silenceIsNoticed,
  stopIsAtOnce,
  whoIsTakenGoes,
  workersHaveWhatTheyWereGiven,
} from './invariants.ts'
import { MadeUpThread, type ThreadWorld } from './madeUpThread.ts'
import { MadeUpTime } from './madeUpTime.ts'
import type { Plan } from './plans.ts'
import { Referee } from './referee.ts'
import { drawForThreads } from './threadPlans.ts'
import type { Game } from './world.ts'

/** A patience runs out after some twenty ticks of the pool, and a pool that stays empty is left after 10 s: neither is endless. */
const EVENTS_A_FAULT = 2500

/**
 * Plays one game with the conductor of real workers, whose clock, messages and threads are made up: see MadeUpTime and
 * MadeUpThread for all that goes wrong with those. Stop comes at any event. Throws at the first broken rule.
 */
export async function playThreads(plan: Plan, watch: (game: Game) => void = () => {}): Promise<Game> {
  const scenario = drawForThreads(plan)
  const chance = createChance(plan.seed ^ 0x19b3)
  const referee = new Referee(scenario, createServices(scenario).at, chance, plan)
  const game = { scenario, referee }
  watch(game)
  await new ThreadGame(plan, scenario, chance, referee).play()
  return game
}

class ThreadGame implements ThreadWorld {
  readonly time: MadeUpTime
  readonly chance: Chance
  /** By worker, its thread and those before it. */
  readonly threads: MadeUpThread[][] = []
  /** The longest time that a batch was away, without the leaps of the clock. */
  longest: Micros = 0
  leaps = 0
  event = 0
  private run: ConductedRun | null = null
  private ending: Ending | null = null
  private faults: number
  private readonly budget: number
  private readonly slow: number
  private readonly scenario: Scenario
  private readonly referee: Referee
  /** What a call back from the conductor has found broken. */
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

  async play(): Promise<void> {
    const { time, chance, scenario, referee } = this
    const conductor = createConductor(
      { now: time.now, after: time.after, every: time.every, cores: chance.pick([0, 1, 2, 64]), start: this.start },
      { watch: (run, from, orders) => this.guard(() => this.instant(run, from, orders)) },
    )
    const listener: ThreadsListener = {
      journal: (journal) => this.guard(() => this.run !== null && referee.handOver(this.run.core, journal)),
      failure: () => {},
      ended: (ending) => {
        this.ending = ending
      },
    }
    const over = conductor.start(scenario, listener).catch((error) => {
      this.broken ??= error
    })
    const events = 400 + 60 * countJobs(scenario.source) * scenario.stages.length + EVENTS_A_FAULT * (1 + this.budget + scenario.workerEvents.length)
    const stopAfter = this.fault(15) ? chance.below(chance.pick([4, 40, 200])) : Infinity
    for (let n = 0; this.ending === null; n = ++this.event) {
      await settled()
      if (this.broken !== null) throw this.broken
      if (this.ending !== null) break
      if (this.run !== null) silenceIsNoticed(this, this.run)
      if (n >= stopAfter) {
        conductor.stop()
        await settled()
        stopIsAtOnce(this.ending)
        break
      }
      if (this.fault(1)) this.leap()
      claim(n < events, () => `the run does not come to an end in ${events} events`)
      claim(time.step(), () => 'nothing is to come, and the run has not ended')
    }
    await over
    if (this.broken !== null) throw this.broken
    nothingIsLeftRunning(this.threads.flat())
    // What comes after the end is heard by nobody.
    for (let n = 0; n < 200 && time.step(); n++) await settled()
    nothingIsLeftRunning(this.threads.flat())
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

  /** The thread that a worker has now. */
  threadOf(worker: number): MadeUpThread | undefined {
    return this.threads[worker]?.at(-1)
  }

  private start: StartThread = (worker, news) => {
    if (this.fault(2)) {
      this.threads[worker] = [...(this.threads[worker] ?? []), new MadeUpThread(worker, this, news, false)]
      throw new Error('cannot be started')
    }
    const thread = new MadeUpThread(worker, this, news)
    const before = this.threads[worker] ?? []
    claim(
      before.every(({ ended }) => ended),
      () => `worker ${worker} is given a second thread beside its first`,
    )
    this.threads[worker] = [...before, thread]
    return thread
  }

  private leap(): void {
    this.leaps++
    this.time.leapt += this.chance.pick([3_600_000_000, 8_000_000, 300_000, -300_000, -60_000_000])
  }

  private instant(run: ConductedRun, from: number, orders: number): void {
    const { referee } = this
    const { rows } = run.journal
    this.run = run
    for (let i = from; i < orders; i++) if (rows.kind[i] === LOST) nobodyWellIsGivenUp(this, run, rows.worker[i])
    aReplyCountsOnce(this, run, from, orders)
    referee.see(run.core, run.journal, from, orders)
    claim(run.core.state.granted.length === 0, () => 'somebody has got what it waited for, and is not told')
    for (let i = orders; i < rows.length; i++)
      claim(rows.kind[i] !== STARTED || this.threads[rows.worker[i]] !== undefined, () => `worker ${rows.worker[i]} has no thread`)
    workersHaveWhatTheyWereGiven(this, run)
    if (!run.inbox.stopped) whoIsTakenGoes(run)
  }

  /** What is thrown in a call back would be taken for an error of the run. */
  private guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.broken ??= error
    }
  }
}

/** What one event has brought has all been done: no chain of promises in the conductor is longer. */
async function settled(): Promise<void> {
  for (let i = 0; i < 16; i++) await null
}
