import { ABSENT, GONE, IDLE } from '../../pipeline/counts.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../trace/decisionTime.ts'
import { stateAt, type Trace } from '../../trace/trace.ts'
import { decisionAt } from '../decisions/decision.ts'
import type { EstimateHistory } from '../decisions/estimateHistory.ts'
import { postReasonTold } from '../decisions/postSentence.ts'
import { type PostReason, postOf } from '../decisions/posts.ts'
import { createSpeech, merged, type SentencePart, sentence, tParts } from '../decisions/speech.ts'

/**
 * Returns why a worker does nothing at time t: "Worker 3 has been idle since 1.200 s: no other job waits." None where it serves a job.
 *
 * @param clock writes an instant
 */
export function idleSentence(trace: Trace, estimateHistory: EstimateHistory, worker: number, t: Micros, clock: (us: Micros) => string): SentencePart[] {
  const speech = createSpeech(trace.scenario)
  const { counts } = stateAt(trace, t)
  const since = counts.since[worker]
  const tags = { who: [speech.worker(worker)] }
  const values = { since: clock(since) }
  switch (counts.status[worker]) {
    case IDLE: {
      const does = tParts('worker <who></who> has been idle since {since}', tags, values)
      const reason = idleReasonAt(trace, estimateHistory, worker, since)
      return merged(sentence(reason === null ? does : tParts('<does></does>: <reason></reason>', { does, reason: postReasonTold(reason, -1, speech) })))
    }
    case ABSENT:
      return merged(sentence(since > 0 ? tParts('worker <who></who> left at {since}', tags, values) : tParts('worker <who></who> has not joined yet', tags)))
    case GONE:
      return merged(sentence(tParts('worker <who></who> has been gone since {since}', tags, values)))
    default:
      return []
  }
}

/** Returns why the decisions of the instant at which a worker became free gave it nothing; null if none says so. */
function idleReasonAt(trace: Trace, estimateHistory: EstimateHistory, worker: number, since: Micros): PostReason | null {
  for (let d = decisionIndexAt(trace, since); d >= 0 && decisionTime(trace, d) === since; d--) {
    const post = postOf(decisionAt(trace, estimateHistory, d), worker)
    if (post !== null) return post.does === 'idles' ? post.reason : null
  }
  return null
}
