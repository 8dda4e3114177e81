/** A parameter of a kind. `is` says how it is checked, shown and written. Compact JSON leaves out defaults. */
export type Param =
  | NumberParam
  | ListParam
  | RatesParam
  | SeatsParam<'allocation'>
  | SeatsParam<'allocations'>
  | TextParam
  | ChoiceParam
  | ValuesParam
export type Params = Readonly<Record<string, Param>>

interface Common {
  /** Its name in forms; by default its key. */
  readonly label?: () => string
  readonly hint?: () => string
}

export interface NumberParam extends Common {
  readonly is: 'whole' | 'real' | 'micros'
  readonly min: number
  /** Missing for times, whose limit is CLOCK_END. A word names a limit of the scenario. */
  readonly max?: number | 'jobs' | 'workers'
  readonly orNone?: true
  /** A parameter of the same kind that it must not exceed. */
  readonly notAbove?: string
  /** The value when the key is missing. Without a default the key is required. */
  readonly byDefault?: number | null
  /** The initial value in a form, if it is not the default. */
  readonly start?: number
  /** What the number counts, in a message: " of jobs". */
  readonly counts?: () => string
  readonly unit?: () => string
  readonly by?: number
  /** The slider is logarithmic unless it is `linear`. */
  readonly slider?: readonly [min: number, max: number | 'workers', scale?: 'linear']
}

/** `samples`: measured times, at least one. `times`: instants in ascending order. `sizes`: numbers of jobs. */
interface ListParam extends Common {
  readonly is: 'samples' | 'times' | 'sizes'
  readonly byDefault?: undefined
}

/** A rate of jobs over time: pairs of a time and a rate. Times ascend. */
interface RatesParam extends Common {
  readonly is: 'rates'
  readonly byDefault?: undefined
  readonly start?: readonly (readonly [time: number, rate: number])[]
}

/** Seats: one allocation by stage id, or a list of allocations, each in listing order. */
interface SeatsParam<Is> extends Common {
  readonly is: Is
  readonly byDefault?: readonly (readonly number[])[]
}

/** A text that people read, code, or the digest of a file. */
interface TextParam extends Common {
  readonly is: 'text' | 'code' | 'digest'
  readonly byDefault?: string
  readonly start?: string
}

/** One of a few words. Short links store their place, so a new one goes to the end. */
interface ChoiceParam extends Common {
  readonly is: 'choice'
  readonly byDefault: string
  readonly options: Readonly<Record<string, { readonly name: () => string }>>
}

/** A list of what JSON can say, one value for each job. */
interface ValuesParam extends Common {
  readonly is: 'values'
  readonly byDefault?: undefined
}

/** The values of some parameters, as written in a scenario. */
export type ValuesOf<P> = { readonly [K in keyof P]: ValueOf<P[K]> }
type ValueOf<P> = P extends { readonly is: 'choice'; readonly options: infer O }
  ? keyof O
  : P extends { readonly is: 'allocation' }
    ? Readonly<Record<string, number>>
    : P extends { readonly is: 'allocations' }
      ? readonly (readonly number[])[]
      : P extends { readonly is: 'rates' }
        ? readonly (readonly [time: number, rate: number])[]
        : P extends { readonly is: 'samples' | 'times' | 'sizes' }
          ? readonly number[]
          : P extends { readonly is: 'text' | 'code' | 'digest' }
            ? string
            : P extends { readonly is: 'values' }
              ? readonly unknown[]
              : P extends { readonly orNone: true }
                ? number | null
                : number

export interface Kind {
  readonly name: () => string
  /** Its number in short links. It never changes, and a number is never used again. */
  readonly link: number
  /** In the order of short links: a new one goes to the end. */
  readonly params?: Params
}
export type Kinds = Readonly<Record<string, Kind>>

/** A row of the policy table, without the parameters. */
export interface PolicyDescription extends Kind {
  /** Its heading in menus. */
  readonly group: 'rules' | 'queues' | 'ahead' | 'elastic' | 'known' | 'fixed' | 'own'
  /** Whether idle workers help at other stages by default. Other policies are pinned: each worker stays at its own stage. */
  readonly lends: boolean
  /** Whether a worker goes on with the jobs that it has served. */
  readonly carries?: boolean
  /** Whether it needs only waiting jobs and service times, so that it can decide without a run. */
  readonly askable?: true
}

export function paramsIn({ params = {} }: Kind): readonly (readonly [key: string, param: Param])[] {
  return Object.entries(params)
}

export function defaultsIn(kind: Kind): Readonly<Record<string, unknown>> {
  return Object.fromEntries(paramsIn(kind).map(([key, { byDefault }]) => [key, byDefault]))
}

/** Returns the kinds in the order of short links. */
export function linkOrder<T extends Kinds>(kinds: T): (keyof T & string)[] {
  return Object.keys(kinds).sort((a, b) => kinds[a].link - kinds[b].link)
}
