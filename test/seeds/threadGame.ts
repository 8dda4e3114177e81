import type { ConductedRun } from '../../src/engine/conductor/conductedRun.ts'
import { type ConductorOptions, createConductor } from '../../src/engine/conductor/conductor.ts'
import type { Environment, StartThread } from '../../src/engine/conductor/environment.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { LOST, STARTED } from '../../src/pipeline/rows.ts'
import { claim } from './claim.ts'
import { ConductedGame, playConducted } from './conductedGame.ts'
import {
  aReplyCountsOnce,
  noHealthyWorkerIsGivenUp,
  nothingIsLeftRunning,
  silenceIsNoticed,
  workersHaveWhatTheyWereGiven,
} from './invariants.ts'
import { MadeUpThread } from './madeUpThread.ts'
import type { Plan } from './plans.ts'
import type { Game } from './world.ts'

/**
 * Plays one game with the conductor of real workers on a simulated clock, messages and threads; see MadeUpTime and
 * MadeUpThread for their faults. Stop comes at any event. Throws at the first broken rule.
 */
export function playThreads(plan: Plan, watch?: (game: Game) => void): Promise<Game> {
  return playConducted(ThreadGame, plan, watch)
}

class ThreadGame extends ConductedGame {
  /** By worker, its current thread and earlier ones. */
  readonly threads: MadeUpThread[][] = []

  /** The current thread of a worker. */
  threadOf(worker: number): MadeUpThread | undefined {
    return this.threads[worker]?.at(-1)
  }

  protected engine(environment: Omit<Environment, 'start'>, options: ConductorOptions): Engine {
    return createConductor({ ...environment, start: this.start }, options)
  }

  protected causeFaults(run: ConductedRun): void {
    silenceIsNoticed(this, run)
  }

  protected inspect(run: ConductedRun, from: number, orders: number): void {
    const { referee } = this
    const { rows } = run.journal
    for (let i = from; i < orders; i++) if (rows.kind[i] === LOST) noHealthyWorkerIsGivenUp(this, run, rows.worker[i])
    aReplyCountsOnce(this, run, from, orders)
    referee.check(run.core, run.journal, from, orders)
    claim(
      run.core.state.granted.length === 0,
      () => 'a worker got the resource that it waited for, and was not notified',
    )
    for (let i = orders; i < rows.length; i++)
      claim(
        rows.kind[i] !== STARTED || this.threads[rows.worker[i]] !== undefined,
        () => `worker ${rows.worker[i]} has no thread`,
      )
    workersHaveWhatTheyWereGiven(this, run)
  }

  protected async afterwards(): Promise<void> {
    nothingIsLeftRunning(this.threads.flat())
    // Events after the end are ignored.
    await this.runEvents(200)
    nothingIsLeftRunning(this.threads.flat())
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
}
