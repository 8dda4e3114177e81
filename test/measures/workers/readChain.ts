/** The claim of a clause about one worker, read from its English text. Stages have the names N0, N1, ... */
export type ChainClaim =
  | { readonly claim: 'queue'; readonly stage: number; readonly n: number; readonly work: number }
  | { readonly claim: 'target'; readonly from: number; readonly to: number; readonly raised: boolean }
  | { readonly claim: 'reason' | 'noneBelow' | 'so' }
  | { readonly claim: 'was'; readonly worker: number; readonly at: number | 'busy' }
  | { readonly claim: 'short'; readonly stage: number; readonly n: number }
  | { readonly claim: 'reached'; readonly stage: number; readonly target: number }
  | { readonly claim: 'noJob' | 'noFurther' | 'less'; readonly stage: number }
  | { readonly claim: 'went'; readonly worker: number; readonly from: number; readonly stage: number }
  | { readonly claim: 'took'; readonly job: number; readonly n: number }

type Read = (numbers: number[]) => ChainClaim[]

const clauses: readonly (readonly [RegExp, Read])[] = [
  [/^N(\d+) had (\d+) jobs? waiting, (\d+) us of work$/, ([stage, n, work]) => [{ claim: 'queue', stage, n, work }]],
  [
    /^N(\d+) had (\d+) jobs? waiting and [\d.]+ on the way, (\d+) us of work$/,
    ([stage, n, work]) => [{ claim: 'queue', stage, n, work }],
  ],
  [
    /^N(\d+) had (\d+) jobs? waiting, (\d+) us of work, the oldest job \d+ us old$/,
    ([stage, n, work]) => [{ claim: 'queue', stage, n, work }],
  ],
  [/^its target stayed at (\d+)$/, ([n]) => [{ claim: 'target', from: n, to: n, raised: false }]],
  [/^its target (?:rose|fell) from (\d+) to (\d+)$/, ([from, to]) => [{ claim: 'target', from, to, raised: false }]],
  [/^that raised its target from (\d+) to (\d+)$/, ([from, to]) => [{ claim: 'target', from, to, raised: true }]],
  [/^worker (\d+) had not worked yet$/, ([worker]) => [{ claim: 'was', worker: worker - 1, at: -1 }]],
  [/^worker (\d+) was free at N(\d+)$/, ([worker, at]) => [{ claim: 'was', worker: worker - 1, at }]],
  [/^worker (\d+) was still at work at N\d+$/, ([worker]) => [{ claim: 'was', worker: worker - 1, at: 'busy' }]],
  [/^N(\d+) was (\d+) below its target$/, ([stage, n]) => [{ claim: 'short', stage, n }]],
  [/^N(\d+) had reached its target of (\d+)$/, ([stage, target]) => [{ claim: 'reached', stage, target }]],
  [/^no other job waited at N(\d+)$/, ([stage]) => [{ claim: 'noJob', stage }]],
  [/^N(\d+) was no further below its own$/, ([stage]) => [{ claim: 'noFurther', stage }]],
  [/^N(\d+) was less far below its own$/, ([stage]) => [{ claim: 'less', stage }]],
  [/^no stage was below its target$/, () => [{ claim: 'noneBelow' }]],
  [/^worker (\d+) started at N(\d+)$/, ([worker, stage]) => [{ claim: 'went', worker: worker - 1, from: -1, stage }]],
  [/^worker (\d+) stayed at N(\d+)$/, ([worker, stage]) => [{ claim: 'went', worker: worker - 1, from: stage, stage }]],
  [
    /^worker (\d+) moved from N(\d+) to N(\d+)$/,
    ([worker, from, stage]) => [{ claim: 'went', worker: worker - 1, from, stage }],
  ],
  [/^(?:took|it got) job (\d+)(?: in advance)?$/, ([job]) => [{ claim: 'took', job, n: 1 }]],
  [
    /^(?:took|it got) (\d+) jobs(?: in advance)?, the first of them job (\d+)$/,
    ([n, job]) => [{ claim: 'took', job, n }],
  ],
]

const REASONS =
  /^(?:N\d.* (?:is|are) done|\d+ stages are done|all waiting jobs are at N\d+|by quotient, N\d+ comes before N\d+|the highest quotients get the workers|each target is a share of the votes, rounded|stages (?:with|nearest) .*|each controller sets .*|the policy fixes the targets|each stage has .*|the targets were set by hand|seats move only where that pays|the code of the policy sets the targets|one worker takes each job to its end|each worker (?:carries its jobs through all stages|has its own jobs, or steals some))$/

/** Reads every clause. Throws if it cannot read one. */
export function readChain(text: string): ChainClaim[] {
  return text
    .replace(/\.$/, '')
    .split('. ')
    .flatMap((sentence): ChainClaim[] => {
      const lower = sentence.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
      if (REASONS.test(lower)) return [{ claim: 'reason' }]
      const [why, so] = lower.split(', so ')
      const parts = so === undefined ? [] : so.split(/ and (?=took)/)
      const causes =
        so === undefined && / and took /.test(why)
          ? why.split(/ and (?=took)/)
          : why.split(so === undefined ? /$^/ : /, (?=N\d|no |worker )| and (?=N\d|no )/)
      return [
        ...[...causes, ...parts].flatMap(readClause),
        ...(so === undefined || so.startsWith('it got') ? [] : [{ claim: 'so' as const }]),
      ]
    })
}

function readClause(clause: string): ChainClaim[] {
  for (const [pattern, read] of clauses) {
    const found = pattern.exec(clause)
    if (found !== null) return read(found.slice(1).map(Number))
  }
  throw new Error(`cannot read: ${clause}`)
}
