import { t } from '../../language/translate.ts'
import type { StageBallot } from './decision.ts'
import type { Post, PostReason, Shortfall } from './posts.ts'
import { crowd, plain, type SentencePart, type Speech, sentence, stageNames, tParts } from './speech.ts'

/** So many groups of workers and stages are named at most. */
const MOST = 4

type Targets = readonly Pick<StageBallot, 'seatsAfter'>[]

/** Returns what the workers do: "Worker 1 stays at Parse. Worker 3 moves from Parse to Write, above its target of 2." */
export function postSentences(posts: readonly Post[], stages: Targets, speech: Speech): SentencePart[] {
  const named = posts.length > MOST ? posts.slice(0, MOST - 1) : posts
  const rest = new Set(posts.slice(named.length).flatMap(({ workers }) => workers)).size
  const told = named.flatMap((post) => sentence(postTold(post, stages, speech)))
  return rest === 0 ? told : [...told, ...sentence([plain(t('{n, plural, one {# more worker is} other {# more workers are}} not named here', { n: rest }))])]
}

function postTold(post: Post, stages: Targets, speech: Speech): SentencePart[] {
  const { stage, above, reason } = post
  const does = doesTold(post, speech)
  const where = above ? tParts('<does></does>, above its target of {target, number}', { does }, { target: stages[stage].seatsAfter }) : does
  return reason === null ? where : tParts('<does></does>: <reason></reason>', { does: where, reason: postReasonTold(reason, stage, speech) })
}

function doesTold({ workers, does, from, stage }: Post, speech: Speech): SentencePart[] {
  const who = crowd(workers, speech)
  const n = { n: workers.length }
  if (does === 'idles') return tParts('{n, plural, one {<who></who> stays idle} other {<who></who> stay idle}}', { who }, n)
  const tags = { who, stage: [speech.stage(stage)] }
  switch (does) {
    case 'starts':
      return tParts('{n, plural, one {<who></who> starts at <stage></stage>} other {<who></who> start at <stage></stage>}}', tags, n)
    case 'stays':
      return tParts('{n, plural, one {<who></who> stays at <stage></stage>} other {<who></who> stay at <stage></stage>}}', tags, n)
    case 'moves':
      return tParts(
        '{n, plural, one {<who></who> moves from <from></from> to <stage></stage>} other {<who></who> move from <from></from> to <stage></stage>}}',
        { ...tags, from: [speech.stage(from)] },
        n,
      )
    case 'prefetches':
      return tParts(
        '{n, plural, one {<who></who> gets its next batch at <stage></stage> in advance} other {<who></who> get their next batches at <stage></stage> in advance}}',
        tags,
        n,
      )
  }
}

/** Returns why workers do what they do: "no other job waits". `post`: the stage they are sent to. */
export function postReasonTold(reason: PostReason, post: number, speech: Speech): SentencePart[] {
  switch (reason.kind) {
    case 'noJob':
      return tParts('no other job waits at <stage></stage>', { stage: [speech.stage(reason.stage)] })
    case 'asFar':
      return tParts('<post></post> is as far below its target as <stage></stage>', { post: [speech.stage(post)], stage: [speech.stage(reason.stage)] })
    case 'further':
      return tParts('<post></post> is further below its target than <stage></stage>', { post: [speech.stage(post)], stage: [speech.stage(reason.stage)] })
    case 'nothingWaits':
      return [plain(t('no other job waits'))]
    case 'reached':
      return [plain(t('the stages with waiting jobs have reached their targets'))]
  }
}

/** Returns which stages are still below their new targets: "Write is still 1 below its target: Parse is above its own." */
export function shortfallSentences(shortfalls: readonly Shortfall[], speech: Speech): SentencePart[] {
  return shortfalls.slice(0, MOST).flatMap(({ stage, missing, noJob, above }) => {
    const short = tParts('<stage></stage> is still {n, number} below its target', { stage: [speech.stage(stage)] }, { n: missing })
    const why = noJob
      ? tParts('no other job waits there', {})
      : tParts('{n, plural, one {<who></who> is above its own} other {<who></who> are above theirs}}', { who: stageNames(above, speech) }, { n: above.length })
    return sentence(noJob || above.length > 0 ? tParts('<does></does>: <reason></reason>', { does: short, reason: why }) : short)
  })
}
