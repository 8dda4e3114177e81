import { hires } from '../../../src/scenario/model/defaults.ts'
import { policyKinds } from '../../../src/scenario/model/policies.ts'

/** The claim of one sentence about a decision, read from its English text. Stages have the names N0, N1, ...; numbers count from 0. */
export type Claim =
  | { readonly claim: 'target'; readonly stage: number; readonly from: number; readonly to: number }
  | {
      readonly claim: 'same' | 'quotients' | 'score' | 'rounded' | 'moreNamed' | 'cause' | 'moreTargets'
      readonly n: number
    }
  | { readonly claim: 'way'; readonly policies: readonly string[] }
  | { readonly claim: 'done'; readonly stages: readonly number[] }
  | { readonly claim: 'onlyWork'; readonly stage: number }
  | { readonly claim: 'crowded'; readonly stage: number; readonly seats: number; readonly waiting: number }
  | { readonly claim: 'quotient'; readonly stage: number; readonly other: number }
  | { readonly claim: 'ready'; readonly stage: number; readonly running: number; readonly starting: number }
  | PlacementClaim
  | ShortClaim

export interface PlacementClaim {
  readonly claim: 'post'
  /** Empty if only their number is given. */
  readonly workers: readonly number[]
  readonly n: number
  readonly does: 'starts' | 'stays' | 'moves' | 'prefetches' | 'idles'
  readonly from: number
  readonly stage: number
  /** The target that is exceeded; -1 if none is named. */
  readonly above: number
  readonly why: 'none' | 'noJob' | 'asFar' | 'further' | 'nothingWaits' | 'reached'
  readonly whyStage: number
}

export interface ShortClaim {
  readonly claim: 'short'
  readonly stage: number
  readonly missing: number
  readonly noJob: boolean
  readonly above: readonly number[]
  /** How many stages are above their targets, if they are not named; else -1. */
  readonly aboveCount: number
}

const ways: readonly (readonly [text: string, policies: readonly string[]])[] = [
  ['Stages with the greatest pressure get workers first', ['backpressure']],
  ['Stages nearest the sink get workers first', ['sinkFirst']],
  ['Seats move only where that pays', ['switchAware']],
  ['Each controller sets the pool of its stage', policyKinds.filter(hires)],
  ['The policy fixes the targets', ['fixed']],
  ['Each stage has one worker', ['onePerStage']],
  ['The targets were set by hand', ['byHand']],
  ['The code of the policy sets the targets', ['code']],
  ['One worker takes each job to its end', ['single']],
  ['Each worker carries its jobs through all stages', ['perJob']],
  ['Each worker has its own jobs, or steals some', ['workStealing']],
]

const CAUSE = /(finished|threw|[Ll]ost|joined|changed|arrived|gave up|sent again|ran dry|measured its queue)/

/** Reads every sentence. Throws if it cannot read one. */
export function readClaims(text: string): Claim[] {
  return text
    .replace(/\.$/, '')
    .split('. ')
    .flatMap((sentence) => readOne(sentence))
}

function readOne(sentence: string): Claim[] {
  const bare = (claim: 'same' | 'quotients' | 'score' | 'rounded' | 'cause'): Claim[] => [{ claim, n: 0 }]
  const numbers = (text: string) => [...text.matchAll(/\d+/g)].map(([n]) => Number(n))
  if (sentence === 'The targets stay the same') return bare('same')
  if (sentence === 'The highest quotients get the workers') return bare('quotients')
  if (sentence === 'These targets have the lowest score') return bare('score')
  if (sentence === 'Each target is a share of the votes, rounded') return bare('rounded')
  const way = ways.find(([words]) => words === sentence)
  if (way !== undefined) return [{ claim: 'way', policies: way[1] }]
  const one = /^Target for N(\d+): (\d+) to (\d+)$/.exec(sentence)
  if (one !== null) return [{ claim: 'target', stage: Number(one[1]), from: Number(one[2]), to: Number(one[3]) }]
  if (sentence.startsWith('Targets: ')) {
    const each = [...sentence.matchAll(/N(\d+) (\d+) to (\d+)/g)].map(
      ([, stage, from, to]): Claim => ({ claim: 'target', stage: Number(stage), from: Number(from), to: Number(to) }),
    )
    const more = /and (\d+) more$/.exec(sentence)
    return more === null ? each : [...each, { claim: 'moreTargets', n: Number(more[1]) }]
  }
  const done = /^((?:N\d+|, | and |\d+ stages)+) (?:is|are) done$/.exec(sentence)
  if (done !== null) return [{ claim: 'done', stages: done[1].startsWith('N') ? numbers(done[1]) : [] }]
  const only = /^All waiting jobs are at N(\d+)$/.exec(sentence)
  if (only !== null) return [{ claim: 'onlyWork', stage: Number(only[1]) }]
  const crowded = /^N(\d+) gets all (\d+) seats for (\d+) waiting$/.exec(sentence)
  if (crowded !== null)
    return [{ claim: 'crowded', stage: Number(crowded[1]), seats: Number(crowded[2]), waiting: Number(crowded[3]) }]
  const quotient = /^By quotient, N(\d+) comes before N(\d+)$/.exec(sentence)
  if (quotient !== null) return [{ claim: 'quotient', stage: Number(quotient[1]), other: Number(quotient[2]) }]
  const more = /^(\d+) more workers? (?:is|are) not named here$/.exec(sentence)
  if (more !== null) return [{ claim: 'moreNamed', n: Number(more[1]) }]
  const short =
    /^N(\d+) is still (\d+) below its target(?:: (?:(no other job waits there)|(.+) (?:is above its own|are above theirs)))?$/.exec(
      sentence,
    )
  if (short !== null) {
    const [, stage, missing, noJob, above = ''] = short
    const named = above === '' || above.startsWith('N')
    return [
      {
        claim: 'short',
        stage: Number(stage),
        missing: Number(missing),
        noJob: noJob !== undefined,
        above: named ? numbers(above) : [],
        aboveCount: named ? -1 : numbers(above)[0],
      },
    ]
  }
  const ready = /^N(\d+): (\d+) running, (\d+) starting$/.exec(sentence)
  if (ready !== null)
    return [{ claim: 'ready', stage: Number(ready[1]), running: Number(ready[2]), starting: Number(ready[3]) }]
  const post = readPlacement(sentence)
  if (post !== null) return [post]
  if (CAUSE.test(sentence)) return bare('cause')
  throw new Error(`cannot read: ${sentence}`)
}

function readPlacement(sentence: string): PlacementClaim | null {
  const whole =
    /^(?:Workers? ([\d, and]+?)|(\d+) workers) (?:(stays? idle)|starts? at N(\d+)|stays? at N(\d+)|moves? from N(\d+) to N(\d+)|gets? (?:its|their) next batch(?:es)? at N(\d+) in advance)(?:, above its target of (\d+))?(?:: (.+))?$/.exec(
      sentence,
    )
  if (whole === null) return null
  const [, named, count, idle, starts, stays, from, to, ahead, above, why] = whole
  const workers = named === undefined ? [] : [...named.matchAll(/\d+/g)].map(([n]) => Number(n) - 1)
  const does =
    idle !== undefined
      ? 'idles'
      : starts !== undefined
        ? 'starts'
        : stays !== undefined
          ? 'stays'
          : from !== undefined
            ? 'moves'
            : 'prefetches'
  const stage = Number(starts ?? stays ?? to ?? ahead ?? -1)
  const where = does === 'moves' ? Number(from) : does === 'starts' || does === 'idles' ? -1 : stage
  return {
    claim: 'post',
    workers,
    n: named === undefined ? Number(count) : workers.length,
    does,
    from: where,
    stage,
    above: above === undefined ? -1 : Number(above),
    ...readWhy(why, stage),
  }
}

function readWhy(why: string | undefined, stage: number): Pick<PlacementClaim, 'why' | 'whyStage'> {
  if (why === undefined) return { why: 'none', whyStage: -1 }
  if (why === 'no other job waits') return { why: 'nothingWaits', whyStage: -1 }
  if (why === 'the stages with waiting jobs have reached their targets') return { why: 'reached', whyStage: -1 }
  const noJob = /^no other job waits at N(\d+)$/.exec(why)
  if (noJob !== null) return { why: 'noJob', whyStage: Number(noJob[1]) }
  const below = /^N(\d+) is (?:(as far below its target as)|further below its target than) N(\d+)$/.exec(why)
  if (below === null || Number(below[1]) !== stage) throw new Error(`cannot read the reason: ${why}`)
  return { why: below[2] === undefined ? 'further' : 'asFar', whyStage: Number(below[3]) }
}
