import type { DescribedPolicy } from './policies.ts'

/**
 * What is asked: a scenario as `parse` returns it, every default filled in.
 * Plain JSON throughout, so that a scenario can be a link, a file or a message between threads.
 */

/** A duration or an instant in whole microseconds. */
export type Micros = number
/** Jobs per second. */
export type PerSecond = number

export const SCENARIO_VERSION = 1

export interface Scenario {
  readonly version: typeof SCENARIO_VERSION
  readonly title: string
  /** Chooses the luck: 0..2^32-1. Two policies with one seed meet the same jobs. */
  readonly seed: number
  readonly source: Source
  readonly stages: readonly Stage[]
  /**
   * Edges from "source" over stage ids to "sink": a graph without circles. Always filled in by `parse`, and put into their
   * one order (see line.ts); a line in listing order unless given. A source that leads to several stages copies to them.
   */
  readonly links: readonly Link[]
  readonly workers: number
  /** How many burning workers run at once in the simulation. */
  readonly cores: number
  readonly workerEvents: readonly WorkerEvent[]
  readonly policy: Policy
  readonly estimator: Estimator
  readonly batch: Batch
  /** What a worker loses when it changes stage. */
  readonly switchCost: Micros
  /** What a worker loses when the group of a job is another than that of its job before; added to `switchCost` if both change. */
  readonly groupSwitchCost: Micros
  readonly order: Order
  /** Runs that go as this scenario's until some time, and otherwise from then on; see branches.ts. None of them bears on its own run. */
  readonly branches: readonly Branch[]
  /** What the scheduler does otherwise from a time on, in ascending order of `at`; see later.ts. */
  readonly later: readonly Phase[]
}

/** A branch of a scenario, its trunk: what holds from `at` on, in the words of the scenario itself. What is left out stays as in the trunk. */
export interface Branch extends Partial<Pick<Scenario, 'workers' | PhaseKey>> {
  readonly at: Micros
  /** What people call it. */
  readonly title: string
  readonly stages?: readonly BranchStage[]
  /** In place of those of the trunk from `at` on; workers are numbered as if `workers` had been there from the start. */
  readonly workerEvents?: readonly WorkerEvent[]
  /** In place of those of the trunk from `at` on. */
  readonly later?: readonly Phase[]
}

/** What a stage costs from job `from` on, which nobody had begun there by then; `changes` stand in place of those of the trunk from that job on. */
export interface BranchStage extends Partial<Pick<Stage, 'service' | 'changes'>> {
  readonly id: string
  readonly from: number
}

/** From `at` on these hold, whatever was said before; what a turn leaves out stays as it is. */
export interface Phase extends Partial<Pick<Scenario, PhaseKey>> {
  readonly at: Micros
}
export const phaseKeys = ['policy', 'estimator', 'batch', 'switchCost', 'groupSwitchCost', 'cores'] as const
export type PhaseKey = (typeof phaseKeys)[number]

export type Link = readonly [from: string, to: string]

export interface Stage {
  /** `[A-Za-z0-9.-]{1,40}`, unique, neither "source" nor "sink". Ties between stages go to the least id in code-point order. */
  readonly id: string
  /** What people read; at most 80 code points. */
  readonly name: string
  readonly service: Service
  /** What the stage costs from a job number on, in ascending order of `from`. */
  readonly changes: readonly { readonly from: number; readonly service: Service }[]
  readonly work: Work
  /** Jobs that throw here, and how often a job is tried before it is failed. */
  readonly fails: { readonly jobs: readonly number[]; readonly tries: number } | null
  /** The most jobs the queue holds; null: without bound. */
  readonly capacity: number | null
  readonly discipline: Discipline
  /** What a job needs for itself while it is served here: at `group`, no two jobs of one group are ever served at once. */
  readonly resource: Resource | null
  /** Where a resource is taken: a worker waits for it with the job in hand, or takes the next job whose resource is free. */
  readonly whenTaken: WhenTaken
  /** What becomes of a job that is through here where several stages follow. */
  readonly fanOut: FanOut
  /** Where several stages lead here: take each part as it comes, or wait for all parts of a job. */
  readonly join: Join
  /** Where the canvas shows it; null: laid out automatically. */
  readonly position: { readonly x: number; readonly y: number } | null
}

export type Discipline = 'fifo' | 'lifo' | 'shortest'
export type Resource = 'group'
export type WhenTaken = 'wait' | 'skip'
/**
 * Each following stage gets a copy, a part of the job; or one of them gets the job, by luck, in proportion to the weights,
 * which stand under the ids of all of them.
 */
export type FanOut = 'copy' | { readonly route: Readonly<Record<string, number>> }
/** Parts of one job may meet only where all are waited for, and at the sink. */
export type Join = 'merge' | 'all'

/** What a worker does for a job on threads: keep a core busy, sleep, or a real kernel. */
export type Work = 'burn' | 'wait' | Kernel
/** Those that work on records, and those that work on the tiles of a picture. */
export const recordKernels = ['parseJson', 'validate', 'sha256', 'gzip'] as const
export const tileKernels = ['mandelbrot', 'colour', 'antialias', 'qoi'] as const
export const kernelNames = [...recordKernels, ...tileKernels] as const
export type Kernel = (typeof kernelNames)[number]

/** The distribution of a service time. Its mean is what the stage declares. */
export type Service =
  | { readonly kind: 'constant'; readonly mean: Micros }
  | { readonly kind: 'uniform'; readonly min: Micros; readonly max: Micros }
  | { readonly kind: 'exponential'; readonly mean: Micros }
  | { readonly kind: 'erlang'; readonly mean: Micros; readonly k: number }
  | { readonly kind: 'lognormal'; readonly mean: Micros; readonly cv: number }
  | { readonly kind: 'pareto'; readonly mean: Micros; readonly alpha: number }
  | { readonly kind: 'bimodal'; readonly fast: Micros; readonly slow: Micros; readonly pSlow: number }
  | { readonly kind: 'empirical'; readonly values: readonly Micros[] }

export type GroupOrder = 'asProduced' | 'shuffled' | 'window' | 'spread' | 'largestFirst'

/** How jobs arrive. Jobs are numbered 0, 1, 2, ... in order of arrival; the number is also the job's ticket. */
export type Source =
  | { readonly kind: 'batch'; readonly jobs: number }
  | { readonly kind: 'poisson'; readonly rate: PerSecond; readonly jobs: number }
  | { readonly kind: 'regular'; readonly rate: PerSecond; readonly jobs: number }
  /** round(sin(t) * max / 2 + max / 2) jobs, t in seconds, spread evenly over each `every`. */
  | { readonly kind: 'sine'; readonly max: number; readonly every: Micros; readonly duration: Micros; readonly jobs: number | null }
  /** Poisson at `rate`, and at `burstRate` for the `on` part of every `on + off` (each cycle begins with `off`). */
  | { readonly kind: 'bursts'; readonly rate: PerSecond; readonly burstRate: PerSecond; readonly on: Micros; readonly off: Micros; readonly jobs: number }
  /** Regular arrivals whose rate changes at the given times. */
  | { readonly kind: 'steps'; readonly at: readonly (readonly [Micros, PerSecond])[]; readonly jobs: number }
  /** Regular arrivals whose rate is a line through the given points. */
  | { readonly kind: 'curve'; readonly points: readonly (readonly [Micros, PerSecond])[]; readonly jobs: number }
  | { readonly kind: 'times'; readonly at: readonly Micros[] }
  | { readonly kind: 'groups'; readonly groups: readonly number[]; readonly order: GroupOrder; readonly feeders: number; readonly window: number }
  /** The lines of a file that the person drops on the page; its bytes stay out of the scenario. */
  | { readonly kind: 'lines'; readonly jobs: number; readonly digest: string }
  | Picture

/**
 * A picture of the Mandelbrot set, cut row by row into square tiles, each of which is a job; those at the right and the
 * lower edge may be cut short. All are there at time 0.
 */
export interface Picture {
  readonly kind: 'image'
  /** In pixels, as is `tile`, the side of a tile. */
  readonly width: number
  readonly height: number
  readonly tile: number
  /** The point of the plane in the middle of the picture, and how much of the plane its width spans; y grows upwards. */
  readonly x: number
  readonly y: number
  readonly span: number
  /** A point that has not escaped after so many is taken to belong to the set: it is what makes tiles uneven. */
  readonly iterations: number
}

/** Who works where; the table of policies is in policies.ts. `lend`: may a worker help below its share so that none idles while work waits? */
export type Policy = DescribedPolicy & { readonly lend: boolean }
export type PolicyKind = Policy['kind']
export type PidPolicy = Extract<DescribedPolicy, { kind: 'pid' }>
export type ThresholdPolicy = Extract<DescribedPolicy, { kind: 'threshold' }>

/** What a stage that nobody has measured yet is believed to cost. */
export type Prior = 'neighbours' | 'declared' | 'one'
export type Estimator =
  | { readonly kind: 'mean'; readonly prior: Prior }
  | { readonly kind: 'window'; readonly n: number; readonly prior: Prior }
  | { readonly kind: 'ewma'; readonly alpha: number; readonly prior: Prior }

export type Batch = (
  | /** The most jobs a worker takes at once. */ { readonly size: number; readonly adaptive?: never }
  /** As many as make the messages cheap, and leave the others their share of the queue. */
  | { readonly adaptive: true; readonly size?: never }
) & {
  /** How many batches a worker may have: 2 gives it the next one before it has finished the first, so that it need not wait for a message. */
  readonly inHand: 1 | 2
}

/**
 * How jobs leave: as they are done, or in order of arrival. `shard` keeps them in order without a buffer: a stage's n workers
 * serve the tickets with number mod n = k, each its own in ascending order.
 */
export type Order = { readonly kind: 'none' } | { readonly kind: 'buffer'; readonly slots: number } | { readonly kind: 'shard' }

export interface WorkerEvent {
  readonly at: Micros
  readonly kind: 'join' | 'leave' | 'crash' | 'hang'
  /** Workers are numbered from 0; joiners continue the numbering. */
  readonly worker: number
}

/** One thing that is wrong with a scenario, in words for the person who wrote it. */
export interface Problem {
  /** Where: `stages[2].service.mean`; empty for the whole. */
  readonly path: string
  /** What is wrong, what is allowed. */
  readonly message: string
  /** What the stage is called that the path leads into, as far as that can be read: `"Enrich"`, or its number from 1. */
  readonly stage?: string
}
export type Parsed = { readonly scenario: Scenario } | { readonly problems: readonly Problem[] }

/** A scenario as it is drawn, and what keeps it from being played: no fault, and it is one that `parse` has passed. */
export interface ParsedDraft {
  readonly scenario: Scenario
  readonly faults: readonly Problem[]
}
