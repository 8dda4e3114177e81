import { Pipeline } from '../../src/features/runner/pipeline.ts'
import type { PolicyChoice } from '../../src/features/runner/policyChoice.ts'
import { PipelineError } from '../../src/features/runner/run.ts'
import type { StageContext, StageFunctions } from '../../src/features/runner/serve.ts'
import type { PipelineOptions } from '../../src/features/runner/settings.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import { readTraceJson } from '../../src/trace/formats/readTraceJson.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { claim } from './claim.ts'
import { MadeUpTime } from './madeUpTime.ts'
import { type Blow, MadeUpWorker, type WorkerWorld } from './madeUpWorker.ts'

/** What a source or a function gives: a number, or an object that it gives again with another number. */
type Value = number | { n: number }
const numberOf = (value: Value) => (typeof value === 'number' ? value : value.n)

/** Which function does what to an input: it throws at its first tries, or strikes its thread at the first times. */
interface Fate {
  throws: number
  blow: Blow
  blows: number
}

const policyChoices: readonly PolicyChoice[] = [
  'leastScore',
  'sinkFirst',
  'single',
  'perJob',
  'perJob',
  'longestQueue',
  'hamilton',
  'onePerStage',
  { kind: 'power', p: 3 },
  { kind: 'preallocate', hops: 2 },
  { kind: 'deadline', due: 5000 },
  ({ workers, stages }) => stages.map((_, s) => (s === 0 ? workers : 0)),
]
/** They hire and dismiss; no other may follow them in mid-run. */
const elasticChoices: readonly PolicyChoice[] = [
  { kind: 'threshold', every: 2000, high: 1, idle: 500, max: null },
  { kind: 'aimd', every: 3000, high: 0, idle: 0, increase: 2, decrease: 0.5, max: 3 },
]
type Outcome = 'open' | 'drained' | 'left' | 'dropped' | Error
const TRIES = 2
const THREADS = 3
const MAX_EVENTS = 60_000

/** Plays one game of a pipeline with its real run, conductor and thread's side. Time, threads, source and consumer are made up. Throws at a broken rule. */
export async function playRunner(seed: number): Promise<{ readonly results: number }> {
  return new RunnerGame(seed).play()
}

class RunnerGame implements WorkerWorld {
  readonly time: MadeUpTime
  private readonly chance: Chance
  private readonly slow: Micros
  private readonly workers: MadeUpWorker[] = []
  private readonly ids: readonly string[]
  private readonly links: [string, string][] | undefined
  private readonly fates = new Map<string, Fate>()
  /** By stage and job: how many threads ended at it, and by job: the stage at which it may have failed for good. */
  private readonly ends = new Map<string, number>()
  /** By stage and job: how often it threw. */
  private readonly throws = new Map<string, number>()
  /** By stage: how many workers may be there. */
  private readonly limits = new Map<string, number>()
  /** Stages with a set-up; how likely a function takes time, in percent; whether several messages of a thread may come in one event. */
  private readonly setUps = new Set<string>()
  private readonly slowPercent: number
  readonly together: boolean
  private readonly recorded: NonNullable<PipelineOptions['record']>
  private readonly inputs: number
  private readonly limit: number
  private readonly ordered: boolean
  private readonly skips: boolean
  private readonly pipeline: Pipeline<Value, Value>
  /** Whether the source and the functions give one object again and again. */
  private readonly reuses: boolean
  /** How likely a thread is refused, in percent. */
  private readonly refusals: number
  /** How often the process is kept alive now. */
  private holds = 0
  private taken = 0
  private readonly results: number[] = []
  private readonly skipped: number[] = []
  private over = false
  private closed = true
  private leaves = 0
  private policies = 0
  private employed = 0
  private broken: unknown = null

  constructor(seed: number) {
    const chance = createChance(seed ^ 0x51ed)
    this.chance = chance
    this.time = new MadeUpTime(chance)
    this.slow = chance.pick([5, 300, 5000])
    const graph = chance.percent(15)
    this.ids = graph ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'c', 'd'].slice(0, chance.between(1, 4))
    this.links = graph
      ? [
          ['source', 'a'],
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'd'],
          ['c', 'd'],
          ['d', 'sink'],
        ]
      : undefined
    // Games of few inputs cost less, and break as many rules.
    this.inputs = chance.percent(4) ? 150 : chance.pick([0, 1, 7, 12, 25])
    this.limit = chance.pick([1, 2, 5, 32, 256])
    this.ordered = chance.percent(70)
    this.skips = chance.percent(75)
    const unlucky = chance.pick([0, 0, 3, 10, 40])
    for (let job = 0; job < this.inputs; job++)
      for (const id of this.ids)
        if (chance.percent(unlucky))
          this.fates.set(`${id} ${job}`, {
            throws: chance.pick([0, 1, TRIES]),
            blow: chance.pick(['dies', 'hangs'] as const),
            blows: chance.pick([0, 0, 1, 3]),
          })
    if (chance.percent(20)) for (const id of this.ids) if (chance.percent(50)) this.limits.set(id, chance.between(1, 3))
    if (chance.percent(15)) for (const id of this.ids) if (chance.percent(60)) this.setUps.add(id)
    this.slowPercent = chance.pick([0, 0, 0, 5, 50])
    this.together = chance.percent(30)
    this.reuses = chance.percent(20)
    this.refusals = chance.pick([0, 0, 0, 0, 0, 0, 20, 100])
    // Few rows: what is older is folded again and again.
    this.recorded = chance.pick([false, false, false, false, true, { rows: chance.between(1, 60) }])
    const stages: PipelineOptions['stages'] = this.ids.map((id) => ({
      id,
      tries: TRIES,
      timeout: 50,
      ...(graph && id === 'd' && { join: 'all' as const }),
      ...(chance.percent(15) && { capacity: chance.between(1, 4) }),
      ...(this.setUps.has(id) && { setUp: `ready ${id}` }),
      ...(this.limits.has(id) && { limit: this.limits.get(id) ?? 1 }),
    }))
    const { time } = this
    this.employed = chance.between(this.ids.length, 5)
    this.pipeline = new Pipeline(
      {
        worker: () => this.worker(),
        stages,
        workers: this.employed,
        policy: chance.percent(10) ? chance.pick(elasticChoices) : this.policy(),
        highWaterMark: this.limit,
        order: this.ordered ? 'input' : 'any',
        onError: this.skips ? 'skip' : 'stop',
        record: this.recorded,
        idle: chance.pick([0, 500]),
        ...(this.links && { links: this.links }),
        ...(chance.percent(40) && { batch: { size: chance.between(1, 9), inHand: chance.pick([1, 2] as const) } }),
      },
      { now: time.now, after: time.after, every: time.every, hold: () => this.hold(), cores: 2 },
    )
    this.pipeline.addEventListener('skip', (event) =>
      this.guard(() => this.skip((event as CustomEvent<PipelineError>).detail)),
    )
  }

  delay(): Micros {
    return this.chance.percent(3) ? this.chance.below(20_000) : 1 + this.chance.below(this.slow)
  }

  lost(stage: number, jobs: readonly number[]): void {
    if (this.over) return
    for (const job of jobs)
      this.ends.set(`${this.ids[stage]} ${job}`, (this.ends.get(`${this.ids[stage]} ${job}`) ?? 0) + 1)
  }

  private hold(): () => void {
    this.holds++
    return () => this.holds--
  }

  async play(): Promise<{ readonly results: number }> {
    const { chance, time } = this
    let outcome: Outcome = 'open'
    const abort = new AbortController()
    const leaveAt = chance.percent(10) ? chance.below(20) : Infinity
    const throwAt = chance.percent(10) ? chance.below(this.inputs + 1) : Infinity
    const dropAt = chance.percent(8) ? chance.below(6) : Infinity
    const consume = chance.percent(25) ? this.push() : this.read(leaveAt, throwAt, dropAt, abort.signal)
    void consume.then(
      (how) => (outcome = how),
      (error) => (outcome = error instanceof Error ? error : new Error(String(error))),
    )
    const abortAt = chance.percent(10) ? chance.below(400) : Infinity
    for (let n = 0; outcome === 'open'; n++) {
      await settled()
      if (this.broken !== null) throw this.broken
      if (outcome !== 'open') break
      // To ask takes longer than all else.
      const inside = n % (this.limits.size > 0 ? 4 : 16) === 0 ? this.insideNow() : 0
      claim(inside <= this.limit, () => `${inside} inputs are inside; allowed: ${this.limit}`)
      claim(this.taken - this.results.length - this.skipped.length <= this.limit + 1, () => 'the source is read ahead')
      if (n === abortAt) abort.abort(new Error('aborted'))
      if (chance.percent(1)) this.meddle()
      claim(n < MAX_EVENTS, () => 'the run does not come to an end')
      if (time.step()) continue
      // What is left to read comes without any event; its reader may sleep again.
      for (let k = 0; k < this.inputs && outcome === 'open' && time.left === 0; k++) await settled()
      if (time.left > 0) continue
      claim(outcome !== 'open', () => 'nothing is to come, and the run has not ended')
    }
    // Nobody reads any more: what is inside is finished, and then nothing keeps the process alive.
    for (let n = 0; outcome === 'dropped' && this.holds > 0; n++) {
      claim(n < MAX_EVENTS && time.step(), () => 'the process is kept alive though nobody reads')
      await settled()
    }
    this.over = true
    await settled()
    const since = time.passed
    while (outcome !== 'drained' && outcome !== 'dropped' && time.passed < since + 100_000 && time.step())
      await settled()
    claim(
      outcome === 'drained' || outcome === 'dropped' || this.workers.every(({ ended }) => ended),
      () => 'a thread is there 100 ms after the run was ended',
    )
    if (this.recorded && this.results.length > 0) await this.readRecord()
    this.judge(outcome, { abort: abortAt < Infinity, sourceThrows: throwAt < Infinity })
    // Nothing that is left over begins anything, and all threads end.
    await settled()
    for (let n = 0; n < 2000 && time.step(); n++) await settled()
    await settled()
    claim(this.closed, () => 'closing does not end')
    claim(this.holds === 0, () => 'the process is kept alive')
    claim(time.left === 0, () => `${time.left} timers are left`)
    claim(
      this.workers.every(({ ended }) => ended),
      () => 'a thread is left running',
    )
    if (this.broken !== null) throw this.broken
    return { results: this.results.length }
  }

  /** The record can be opened, whether it is whole or folded. */
  private async readRecord(): Promise<void> {
    const read = readTraceJson(await (await this.pipeline.trace()).text())
    claim('trace' in read, () => `the record cannot be read: ${JSON.stringify(read)}`)
  }

  /** Returns how many inputs are inside. No stage has more workers than it may have. */
  private insideNow(): number {
    const { inside, stages } = this.pipeline.stats()
    claim(
      this.holds > 0 || stages.every(({ busy }) => busy === 0),
      () => 'nothing keeps the process alive though workers are busy',
    )
    for (const { id, busy } of stages)
      claim(
        busy <= (this.limits.get(id) ?? Infinity),
        () => `${busy} workers are at ${id}; allowed: ${this.limits.get(id)}`,
      )
    return inside
  }

  private async read(
    leaveAt: number,
    throwAt: number,
    dropAt: number,
    signal: AbortSignal,
  ): Promise<'drained' | 'left' | 'dropped'> {
    const { chance } = this
    const sleepy = chance.percent(20)
    const all = this.pipeline.run(chance.percent(50) ? this.source(throwAt) : this.asyncSource(throwAt), { signal })
    while (this.results.length < dropAt) {
      const { value, done } = await all.next()
      if (done) return 'drained'
      this.results.push(numberOf(value))
      // After the last result the run is over, and its threads wait for another.
      if (this.results.length > leaveAt) {
        await all.return()
        return this.results.length + this.skipped.length === this.inputs ? 'drained' : 'left'
      }
      if (sleepy && chance.percent(20)) await this.sleep(chance.below(30_000))
    }
    return 'dropped'
  }

  private *source(throwAt: number): Generator<Value> {
    const row = { n: 0 }
    for (let job = 0; job < this.inputs; job++) {
      if (job === throwAt) throw new Error('the source throws')
      this.taken++
      yield this.given(row, job * 1000)
    }
  }

  /** Returns the number, or the object with it. */
  private given(object: { n: number }, n: number): Value {
    object.n = n
    return this.reuses ? object : n
  }

  private async *asyncSource(throwAt: number): AsyncGenerator<Value> {
    for (const input of this.source(throwAt)) {
      if (this.chance.percent(60)) await this.sleep(this.chance.below(2000))
      yield input
    }
  }

  /** Pushes inputs, some at once. Each promise must be settled, and in the order of the inputs where that is asked. */
  private async push(): Promise<'drained'> {
    const { pipeline, chance } = this
    const all: Promise<void>[] = []
    const row = { n: 0 }
    let failure: unknown = null
    for (let job = 0; job < this.inputs && failure === null; job++) {
      const pushed = pipeline.push(this.given(row, job * 1000)).then(
        (result) => void this.results.push(numberOf(result)),
        (error: unknown) => {
          if (!(error instanceof PipelineError)) failure = error
          else if (!this.skips) this.skip(error)
        },
      )
      all.push(pushed)
      if (chance.percent(30)) await this.sleep(chance.below(3000))
      // Those in waiting are outside: the source is not read ahead.
      this.taken = 0
    }
    // What is pushed after the end of a run begins the next one.
    if (failure === null) await pipeline.end()
    await Promise.all(all)
    if (failure !== null) throw failure
    this.taken = this.inputs
    return 'drained'
  }

  private sleep(micros: Micros): Promise<void> {
    return new Promise((resolve) => this.time.later(micros, resolve))
  }

  /** Under `perJob` no stage can have a limit. */
  private policy(): PolicyChoice {
    return this.chance.pick(
      this.limits.size === 0 ? policyChoices : policyChoices.filter((choice) => choice !== 'perJob'),
    )
  }

  /** Changes the policy or the number of workers. */
  private meddle(): void {
    const { chance, pipeline } = this
    try {
      if (chance.percent(50)) {
        const workers = chance.between(1, 6)
        // One that leaves may have begun its second batch, which another repeats.
        this.leaves += Math.max(0, this.employed - workers)
        this.employed = workers
        pipeline.setWorkers(workers)
      } else {
        // What a thread went on with by itself may be made again.
        this.policies++
        pipeline.setPolicy(this.policy())
      }
    } catch (error) {
      claim(
        error instanceof Error &&
          /No run is open|hires and dismisses its workers itself|cannot follow/.test(error.message),
        () => String(error),
      )
    }
  }

  private worker(): MadeUpWorker {
    if (this.chance.percent(this.refusals)) throw new Error('no thread today')
    const worker = new MadeUpWorker(this, (strike) => this.functions(strike))
    this.workers.push(worker)
    return worker
  }

  private functions(strike: (blow: Blow) => void): StageFunctions {
    const row = { n: 0 }
    const run =
      <V>(id: string, work: (value: V) => number) =>
      (value: V, { job, tries, setUp }: StageContext) => {
        this.guard(() =>
          claim(
            setUp === (this.setUps.has(id) ? `ready ${id}` : undefined),
            () => `${id} is called with the set-up ${setUp}`,
          ),
        )
        const fate = this.fates.get(`${id} ${job}`)
        if (fate !== undefined && fate.blows > 0) {
          fate.blows--
          strike(fate.blow)
        } else if (fate !== undefined && fate.throws >= tries) {
          this.throws.set(`${id} ${job}`, (this.throws.get(`${id} ${job}`) ?? 0) + 1)
          throw new Error(`${id} throws`)
        }
        const give = () => this.given(row, work(value))
        return this.chance.percent(this.slowPercent) ? this.sleep(1 + this.chance.below(8000)).then(give) : give()
      }
    return {
      ...Object.fromEntries(
        this.ids.map((id) => [`ready ${id}`, () => this.sleep(1 + this.chance.below(3000)).then(() => `ready ${id}`)]),
      ),
      a: run('a', (value: Value) => numberOf(value) + 1),
      b: run('b', (value: Value) => numberOf(value) + 10),
      c: run('c', (value: Value) => numberOf(value) + 100),
      d:
        this.links === undefined
          ? run('d', (value: Value) => numberOf(value) + 500)
          : run('d', ({ b, c }: { b: Value; c: Value }) => numberOf(b) + numberOf(c)),
    }
  }

  private resultOf(job: number): number {
    const input = job * 1000
    if (this.links !== undefined) return 2 * (input + 1) + 110
    const added: Readonly<Record<string, number>> = { a: 1, b: 10, c: 100, d: 500 }
    return this.ids.reduce((sum, id) => sum + added[id], input)
  }

  private skip({ stage, job, cause }: PipelineError): void {
    claim(!this.skipped.includes(job), () => `input ${job} is skipped twice`)
    this.skipped.push(job)
    const ends = this.ends.get(`${stage} ${job}`) ?? 0
    const thrown = this.fates.get(`${stage} ${job}`)?.throws ?? 0
    claim(
      // Where threads are refused, those that were to have the input count too.
      ends >= THREADS || this.refusals > 0 || (cause instanceof Error && thrown > 0),
      () => `input ${job} failed at ${stage}, where ${ends} threads ended and it throws ${thrown} times`,
    )
  }

  private judge(
    outcome: Outcome,
    { abort, sourceThrows }: { readonly abort: boolean; readonly sourceThrows: boolean },
  ): void {
    const jobs = Array.from({ length: this.inputs }, (_, job) => job)
    const expected = new Map(jobs.map((job) => [this.resultOf(job), job]))
    const came = this.results.map((result) => expected.get(result) ?? -1)
    claim(!came.includes(-1), () => `a result is wrong: ${this.results}`)
    claim(new Set(came).size === came.length, () => 'a result came twice')
    if (this.ordered)
      claim(
        came.every((job, k) => k === 0 || job > came[k - 1]),
        () => `the order is broken: ${came}`,
      )
    const ended = came.flatMap((job) =>
      this.ids.filter((id) => (this.ends.get(`${id} ${job}`) ?? 0) > THREADS).map((id) => `${job} at ${id}`),
    )
    claim(ended.length === 0, () => `came out though four threads ended: ${ended}`)
    // A throw that was not reported, because its thread ended, does not count as a try.
    const tried = [...this.throws].filter(
      ([key, times]) => times > TRIES + (this.ends.get(key) ?? 0) + this.leaves + this.policies,
    )
    claim(tried.length === 0, () => `tried too often: ${tried}`)
    claim(!this.skipped.some((job) => came.includes(job)), () => 'an input was skipped and came out')
    if (outcome === 'drained')
      claim(
        came.length + this.skipped.length === this.inputs,
        () => `${came.length} came out, ${this.skipped.length} were skipped, of ${this.inputs}`,
      )
    else if (outcome instanceof Error) {
      const { message } = outcome
      if (this.ordered && outcome instanceof PipelineError && this.taken > 0)
        claim(
          came.length === outcome.job,
          () => `${came.length} came out before input ${(outcome as PipelineError).job} failed`,
        )
      const allowed =
        (abort && message === 'aborted') ||
        (sourceThrows && message === 'the source throws') ||
        (outcome instanceof PipelineError && !this.skips) ||
        /thread cannot start|is stuck/.test(message)
      if (!allowed) throw outcome
    }
    // Threads that are not closed end by themselves.
    if (outcome === 'drained' && this.chance.percent(50)) return
    void this.pipeline.close().then(() => (this.closed = true))
    this.closed = false
  }

  private guard(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.broken ??= error
    }
  }
}

/** What one event has brought has all been done: no chain of promises is longer. */
async function settled(): Promise<void> {
  for (let i = 0; i < 24; i++) await null
}
