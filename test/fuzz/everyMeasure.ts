import { endSentence } from '../../src/app/session/run/runSentences.ts'
import {
  createStageProgress,
  extendStageProgress,
  groupSwitchLoss,
  inHandsAt,
} from '../../src/features/groups/measure/feederGaps.ts'
import { ringAt, tailAt, ticketPlaces } from '../../src/features/order/measure/order.ts'
import { createOrderLog, extendOrderLog, orderCost } from '../../src/features/order/measure/orderLog.ts'
import { createShardLog, extendShardLog, shardsAt } from '../../src/features/order/measure/shards.ts'
import { criticalPathInSteps } from '../../src/features/reality/measure/criticalPath.ts'
import { residualInSteps, residualRefusal } from '../../src/features/reality/measure/residual.ts'
import { replay } from '../../src/features/replay/study/replay.ts'
import { steadyInSteps } from '../../src/features/theory/measure/steadyState.ts'
import { decisionAt } from '../../src/measures/decisions/decision.ts'
import { writeDecisionsCsv } from '../../src/measures/decisions/decisionExports.ts'
import { spoken } from '../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../src/measures/decisions/estimateHistory.ts'
import { placementsOf, shortfallsOf } from '../../src/measures/decisions/placements.ts'
import { createSpeech } from '../../src/measures/decisions/speech.ts'
import { occupancyOf } from '../../src/measures/figures/occupancy.ts'
import { createRangeIndex, extendRangeIndex, statsWithin } from '../../src/measures/figures/rangeStats.ts'
import { costsOf, measuredServices } from '../../src/measures/figures/serviceCosts.ts'
import { stuckSentences } from '../../src/measures/frame/endingWords.ts'
import { contentionIn, frameAt } from '../../src/measures/frame/frame.ts'
import { passagesBetween } from '../../src/measures/frame/passages.ts'
import {
  createFirstStarts,
  createJobPlaces,
  extendFirstStarts,
  extendJobPlaces,
  firstUnstartedJob,
  firstUntouchedJobs,
  moveJobsTo,
} from '../../src/measures/jobs/jobPlaces.ts'
import {
  createJourney,
  createQueuePlace,
  extendJourney,
  extendQueuePlace,
  whereaboutsAt,
} from '../../src/measures/jobs/journey.ts'
import { writeTraceEvents } from '../../src/measures/profile/traceEvents.ts'
import { createChart, extendChart } from '../../src/measures/series/chart.ts'
import {
  createWorkerMoves,
  extendWorkerMoves,
  moveAfter,
  moveBefore,
  movesWithin,
} from '../../src/measures/workers/moves.ts'
import { idleSentence, workerOrderAt } from '../../src/measures/workers/workerWords.ts'
import { workersEver } from '../../src/pipeline/topology.ts'
import { summarise } from '../../src/runs/play/play.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import { runToEnd } from '../../src/trace/follow.ts'
import { catchUp, endOf, stateAt, type Trace } from '../../src/trace/trace.ts'
import { digestOf } from '../trace/digestOf.ts'

/** A measure, sentence or file that the page computes from a trace. */
export interface Asked {
  readonly name: string
  value(): unknown
}

/** Returns everything that the page computes from a trace, at its end and at `times`. Each is computed on request. */
export function everyMeasure(trace: Trace, times: readonly Micros[]): Asked[] {
  catchUp(trace)
  const { scenario } = trace
  const history = once(() => createEstimateHistory(trace))
  const chart = once(() => extended(createChart(trace), extendChart))
  const ranges = once(() => extended(createRangeIndex(trace), extendRangeIndex))
  const orders = once(() => extended(createOrderLog(trace), extendOrderLog))
  const shards = once(() => extended(createShardLog(trace), extendShardLog))
  const places = once(() => extended(createJobPlaces(trace, trace.head.counts.arrived), extendJobPlaces))
  const asked: Asked[] = []
  const ask = (name: string, value: () => unknown) => asked.push({ name, value })
  ask('chart', chart)
  ask('order', () => [orders(), orderCost(orders())])
  ask('shards', shards)
  ask('job places', places)
  ask('summary', () => summarise(trace))
  ask('costs', () => [costsOf(trace), measuredServices(trace), groupSwitchLoss(trace)])
  ask('occupancy', () => occupancyOf(trace))
  ask('steady state', () => runToEnd(steadyInSteps(trace)))
  ask('critical path', () => runToEnd(criticalPathInSteps(trace)))
  ask('residual', () => [
    residualRefusal(trace),
    residualRefusal(trace) === null ? runToEnd(residualInSteps(trace, trace)) : null,
  ])
  ask('sentences', () => [endSentence(trace), stuckSentences(trace)])
  ask('decisions as CSV', () => [...writeDecisionsCsv(trace, history())])
  ask('events', () => [...writeTraceEvents(trace)])
  ask('digest', () => digestOf(trace))
  ask('replay', () => replay(trace))
  ask('moves', () => movesWithin(trace))
  for (let d = 0; d < trace.decisions.length; d++)
    ask(`decision ${d}`, () => {
      const decision = decisionAt(trace, history(), d)
      return [
        decision,
        spoken(scenario, createSpeech(scenario), decision),
        placementsOf(decision),
        shortfallsOf(decision),
      ]
    })
  for (let stage = 0; stage < scenario.stages.length; stage++)
    ask(`stage ${stage}`, () => {
      const progress = extended(createStageProgress(trace, stage), extendStageProgress)
      const starts = extended(createFirstStarts(trace, stage), extendFirstStarts)
      return [progress, times.map((t) => [firstUnstartedJob(starts, t), inHandsAt(progress, frameAt(trace, t))])]
    })
  for (let job = 0; job < trace.head.counts.arrived; job++)
    ask(`job ${job}`, () => {
      const journey = createJourney(job)
      extendJourney(journey, trace)
      const queues = journey.legs.map((leg) => extended(createQueuePlace(trace, job, leg), extendQueuePlace))
      return [
        journey,
        queues,
        times.map((t) => [whereaboutsAt(journey, t), ticketPlaces(orders(), job, frameAt(trace, t))]),
      ]
    })
  for (let worker = 0; worker < workersEver(scenario); worker++)
    ask(`worker ${worker}`, () => {
      const moves = extended(createWorkerMoves(trace, worker), extendWorkerMoves)
      return [
        moves,
        times.map((t) => [workerOrderAt(trace, worker, t), idleSentence(trace, history(), worker, t, String)]),
      ]
    })
  for (const t of times) {
    ask(`at ${t}`, () => {
      const passages = passagesBetween(trace, t, t + 1000)
      return [
        frameAt(trace, t),
        contentionIn(trace, stateAt(trace, t).counts),
        passages,
        moveBefore(trace, t),
        moveAfter(trace, t),
      ]
    })
    ask(`jobs at ${t}`, () => {
      const frame = frameAt(trace, t)
      moveJobsTo(places(), t)
      return [
        firstUntouchedJobs(trace, t),
        ringAt(orders(), frame, 16),
        shardsAt(shards(), orders(), frame),
        tailAt(orders(), t),
      ]
    })
    ask(`until ${t}`, () => statsWithin(ranges(), chart(), 0, t, endOf(trace)))
  }
  return asked
}

/** Returns a measure that has followed its trace to the end. */
function extended<T>(made: T, extend: (made: T) => void): T {
  extend(made)
  return made
}

/** Returns a getter that computes its value once. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
