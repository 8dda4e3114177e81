import type { DescribedService } from './distributions.ts'
import type { DescribedPolicy, ElasticKind, KnownKind } from './policies.ts'
import type { DescribedSource } from './sources.ts'

/** A scenario as `parse` returns it, with every default filled in. It is plain JSON, so that it can be a link, a file or a message between threads. */

/** A duration or an instant in whole microseconds. */
export type Micros = number
export type PerSecond = number

export const SCENARIO_VERSION = 1

export interface Scenario {
  readonly version: typeof SCENARIO_VERSION
  readonly title: string
  /** The random seed, 0..2^32-1. Two policies with one seed meet the same jobs. */
  readonly seed: number
  readonly source: Source
  readonly stages: readonly Stage[]
  /** Edges from "source" over stage ids to "sink", no cycles, in normal order (linearStages.ts). Several ways out of the source copy each job. */
  readonly links: readonly Link[]
  readonly workers: number
  /** How many burning workers run at once in the simulation. */
  readonly cores: number
  readonly workerEvents: readonly WorkerEvent[]
  readonly policy: Policy
  readonly estimator: Estimator
  readonly batch: Batch
  /** The time that a worker loses when it changes stage. */
  readonly switchCost: Micros
  /** The time that a worker loses when the next job is of another group. Added to `switchCost` if both change. */
  readonly groupSwitchCost: Micros
  /** How far away the workers are, in the simulation; null: beside the scheduler. */
  readonly network: Network | null
  readonly order: Order
  /** Runs that equal this one until some time and differ from then on; see edit/branches.ts. They do not affect this run. */
  readonly branches: readonly Branch[]
  /** The phases, in ascending order of `at`; see schedule.ts. The file format calls them `later`. */
  readonly later: readonly Phase[]
}

/** What differs from the scenario, the original, from `at` on, with the keys of a scenario. Keys left out stay as in the original. */
export interface Branch extends Partial<Pick<Scenario, 'workers' | PhaseKey>> {
  readonly at: Micros
  readonly title: string
  readonly stages?: readonly BranchStage[]
  /** These replace the original's events from `at` on. Workers are numbered as if `workers` had been there from the start. */
  readonly workerEvents?: readonly WorkerEvent[]
  /** These replace the original's phases from `at` on. */
  readonly later?: readonly Phase[]
}

/** The service time of a stage from job `from` on, which the original had not started by then. `changes` replace the original's from that job on. */
export interface BranchStage extends Partial<Pick<Stage, 'service' | 'changes'>> {
  readonly id: string
  readonly from: number
}

/** These values hold from `at` on. Keys left out stay as they are. */
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
  /** Service times from a job number on, in ascending order of `from`. */
  readonly changes: readonly { readonly from: number; readonly service: Service }[]
  /** How long a worker starts up before its first job here, and again after a dismissal; null: not at all. */
  readonly startUp: Service | null
  readonly work: Work
  /** Jobs that throw here, and how often a job is tried before it is failed. */
  readonly fails: { readonly jobs: readonly number[]; readonly tries: number } | null
  /** The most jobs the queue holds; null: without bound. */
  readonly capacity: number | null
  readonly discipline: Discipline
  /** Under `priority`: how much earlier a job must arrive to pass one that is one class more urgent; null: it never passes it. */
  readonly ageing: Micros | null
  /** What a job needs for itself during its service. `group`: two jobs of one group are never served at once. */
  readonly resource: Resource | null
  /** When the resource is taken: `wait` with the job, or `skip` to the next job with a free resource. */
  readonly whenTaken: WhenTaken
  /** Where a finished job goes when several stages follow. */
  readonly fanOut: FanOut
  /** When several stages lead here: `merge` takes each part as it comes, `all` waits for all parts of a job. */
  readonly join: Join
  /** Where the canvas shows it; null: laid out automatically. */
  readonly position: { readonly x: number; readonly y: number } | null
}

/** `priority`: by class, the first class first, and within a class first come, first served. */
export const disciplines = ['fifo', 'lifo', 'shortest', 'priority'] as const
export type Discipline = (typeof disciplines)[number]
export type Resource = 'group'
export type WhenTaken = 'wait' | 'skip'
/** `copy`: each following stage gets a part of the job. `route`: one of them gets the job, at random by these weights under their ids. */
export type FanOut = 'copy' | { readonly route: Readonly<Record<string, number>> }
/** Parts of one job may meet only at a join of `all`, and at the sink. */
export type Join = 'merge' | 'all'

/** What a worker does for a job on threads: keep a core busy, sleep, a real kernel, or code of the author's own. */
export type Work = 'burn' | 'wait' | Kernel | OwnCode
/** A module in JavaScript. Its default export is given an input and a context, and returns the output or a promise of it. */
export type OwnCode = { readonly code: string }
/** Kernels for records, and for the tiles of a picture. */
export const recordKernels = ['parseJson', 'validate', 'sha256', 'gzip'] as const
export const tileKernels = ['mandelbrot', 'colour', 'antialias', 'qoi'] as const
export const kernelNames = [...recordKernels, ...tileKernels] as const
export type Kernel = (typeof kernelNames)[number]

/** Returns the code of a stage; null if it has none. */
export function codeOf({ work }: Pick<Stage, 'work'>): string | null {
  return typeof work === 'object' ? work.code : null
}

/** Whether some stage has code. Such a run is played in the page only, where threads run it. */
export function hasCode({ stages }: Pick<Scenario, 'stages'>): boolean {
  return stages.some((stage) => codeOf(stage) !== null)
}

/** Whether a stage does real work in a real run. Its declared service time is only an estimate. */
export function doesRealWork({ work }: Pick<Stage, 'work'>): boolean {
  return work !== 'burn' && work !== 'wait'
}

/** The distribution of a service time; the table is in distributions.ts. Its mean is what the stage declares. */
export type Service = DescribedService

/** How jobs arrive; the table is in sources.ts. Jobs are numbered from 0 in order of arrival; the number is also the job's ticket. */
export type Source = DescribedSource

/** How workers are shared; the table is in policies.ts. `lend`: whether workers that would idle may help other stages. */
export type Policy = DescribedPolicy & { readonly lend: boolean }
export type PolicyKind = Policy['kind']
export type PidPolicy = Extract<DescribedPolicy, { kind: 'pid' }>
export type GainPolicy = Extract<DescribedPolicy, { kind: 'pid' | 'adaptive' }>
export type ElasticPolicy = Extract<DescribedPolicy, { kind: ElasticKind }>
export type KnownPolicy = Extract<DescribedPolicy, { kind: KnownKind }>
export type CodePolicy = Extract<Policy, { kind: 'code' }>

/** The estimate for a stage without measurements. */
export type Prior = 'neighbours' | 'declared' | 'one'
export type Estimator =
  | { readonly kind: 'mean'; readonly prior: Prior }
  | { readonly kind: 'window'; readonly n: number; readonly prior: Prior }
  | { readonly kind: 'ewma'; readonly alpha: number; readonly prior: Prior }

export type Batch = (
  | /** The most jobs a worker takes at once. */ { readonly size: number; readonly adaptive?: never }
  /** Large enough to keep messages cheap, small enough to leave the other workers their share of the queue. */
  | { readonly adaptive: true; readonly size?: never }
) & {
  /** How many batches a worker may have. With 2 it gets the next one while it works, and need not wait for a message. */
  readonly inHand: 1 | 2
}

/** Only in the simulation: each batch and answer is a message of half the round trip. `loss`: share of messages lost and sent again. */
export type Network = { readonly roundTrip: Micros; readonly loss: number }

/** How jobs leave: when they are done, or in order of arrival: in a buffer, or by shards, where worker k of n serves the tickets with number mod n = k. */
export type Order =
  | { readonly kind: 'none' }
  | { readonly kind: 'buffer'; readonly slots: number }
  | { readonly kind: 'shard' }

/** Short links store the place in this list, so a new kind goes to its end. */
export const workerEventKinds = ['join', 'leave', 'crash', 'hang'] as const

export interface WorkerEvent {
  readonly at: Micros
  readonly kind: (typeof workerEventKinds)[number]
  /** Workers are numbered from 0; a worker that joins gets the next number. */
  readonly worker: number
}

export interface Problem {
  /** Where: `stages[2].service.mean`; empty for the whole. */
  readonly path: string
  readonly message: string
  /** What the stage of the path is called, as far as that can be read: `"Enrich"`, or its number from 1. */
  readonly stage?: string
}
export type Parsed = { readonly scenario: Scenario } | { readonly problems: readonly Problem[] }

/** A pipeline under edit. Without problems the scenario has passed `parse`. */
export type ParsedDraft = { readonly scenario: Scenario; readonly draftProblems: readonly Problem[] }
