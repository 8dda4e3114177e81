/**
 * A parameter of a policy. Bounds that are words are limits of every scenario: its jobs, or its workers.
 * `is` says how it is checked, shown in a form and spelled in a link.
 */
export type PolicyParam = NumberParam | RatesParam | SeatsParam<'allocation'> | SeatsParam<'allocations'> | TextParam<'text'> | TextParam<'source'>

export interface NumberParam {
  readonly is: 'whole' | 'real' | 'micros'
  readonly least: number
  /** Missing for times, which end where clocks do. */
  readonly most?: number | 'jobs' | 'workers'
  /** Each stage has as many, so that their sum must stay within the limit. */
  readonly eachStage?: true
  /** May also be null. */
  readonly orNone?: true
  /** What it is when left out; without a default it must be given. */
  readonly byDefault?: number | null
  /** What a form begins with, where that is not the default. */
  readonly start?: number
  /** What the number counts, in a message: " of jobs". */
  readonly counts?: () => string
  /** For the JSON Schema. */
  readonly meaning: () => string
  /** The rest is for forms. */
  readonly label: () => string
  readonly hint?: () => string
  readonly unit?: () => string
  /** What an arrow key adds. */
  readonly by?: number
  readonly slider?: readonly [least: number, most: number | 'workers']
}

/** A rate of jobs over time: pairs of a time and a rate, as in a source. Times ascend. */
interface RatesParam {
  readonly is: 'rates'
  readonly byDefault?: undefined
  readonly start: readonly (readonly [time: number, rate: number])[]
  readonly meaning: () => string
  readonly label: () => string
  readonly hint?: () => string
}

/** Seats: one allocation by stage id, or a list of allocations, each in listing order. */
interface SeatsParam<Is> {
  readonly is: Is
  readonly byDefault?: readonly (readonly number[])[]
  readonly meaning: () => string
}

/** A text: what people read, or code. */
interface TextParam<Is> {
  readonly is: Is
  readonly byDefault?: string
  readonly start?: string
  readonly meaning: () => string
  readonly label: () => string
}

export interface PolicyDescription {
  readonly name: () => string
  /** The heading it stands under in menus. */
  readonly group: 'rules' | 'queues' | 'ahead' | 'elastic' | 'fixed' | 'own'
  /** Stands after this one in menus; else in the order of the table. */
  readonly menuAfter?: string
  /** Its number in short links. It never changes, and a number is never used again. */
  readonly link: number
  /** Whether workers lend a hand unless the scenario says not to. Other policies are pinned: each worker stays at its own stage. */
  readonly lends: boolean
  /** Whether waiting jobs and service times are all it looks at, so that it can be asked without a run. */
  readonly askable?: true
  readonly params?: Readonly<Record<string, PolicyParam>>
}
