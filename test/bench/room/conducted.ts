import type { ConductedRun } from '../../../src/engine/conductor/conductedRun.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { openCarrier } from '../../../src/features/room/brokerClient/openCarrier.ts'
import type { Carrier, OpenCarrier } from '../../../src/features/room/protocol/carrier.ts'
import { unpackFrame } from '../../../src/features/room/protocol/frame.ts'
import { createRoomEngine } from '../../../src/features/room/protocol/roomEngine.ts'
import { beganAt, endedAt, FINISHED, LOST, STARTED } from '../../../src/pipeline/rows.ts'
import type { RoomAddress } from '../../../src/runs/remote/remoteEngine.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { append, createTrace, eachRow, endOf, type Trace } from '../../../src/trace/trace.ts'
import { askAll } from './bare.ts'
import { answerParent, tellParent } from './child.ts'

/** The messages to the process of a conductor. */
export type ConductedMessage =
  /** Plays a scenario in the room. `watched`: counts repeated batches, which costs time. */
  | { readonly ask: 'play'; readonly address: RoomAddress; readonly scenario: Scenario; readonly watched: boolean }
  /** Sends bare messages: see `askAll`. */
  | {
      readonly ask: 'bare'
      readonly address: RoomAddress
      readonly devices: readonly string[]
      readonly messages: number
      readonly bytes: number
    }

/** The result of a run. Times are in microseconds. */
export interface Conducted {
  readonly ending: string
  readonly jobs: number
  readonly services: number
  /** Services without a row, with several rows, and started more than once. */
  readonly missing: number
  readonly doubled: number
  readonly redone: number
  readonly makespan: number
  /** How many workers have served. */
  readonly servants: number
  /** When workers were lost, in microseconds since 1970. */
  readonly lostAt: readonly number[]
  readonly reasons: readonly string[]
  /** Processor time of this process from time 0 to the end, and of a replay of the decisions. */
  readonly processor: number
  readonly decisions: number
  readonly reproduced: boolean
  /** The time of all services. */
  readonly worked: number
  /** Batches that were sent more than once. */
  readonly again: number
}

/** A process with a conductor: see `ConductedMessage`. */
export function serveConductor(): void {
  answerParent<ConductedMessage>((message) =>
    message.ask === 'bare'
      ? askAll(message.address, message.devices, message.messages, message.bytes)
      : play(message.address, message.scenario, message.watched),
  )
}

async function play(address: RoomAddress, scenario: Scenario, watched: boolean): Promise<Conducted> {
  const trace = createTrace(scenario, 'room', 0)
  const lostAt: number[] = []
  const reasons: string[] = []
  const sent = new Set<string>()
  let again = 0
  let ending = ''
  let started = false
  let processor = { user: 0, system: 0 }
  const count = (bytes: Uint8Array) => {
    const head = unpackFrame(bytes)?.head as
      | { readonly kind: string; readonly seat: number; readonly number: number }
      | undefined
    if (head?.kind !== 'batch') return
    const name = `${head.seat} ${head.number}`
    if (sent.has(name)) again++
    sent.add(name)
  }
  const open: OpenCarrier = watched ? async (...given) => watching(await openCarrier(...given), count) : openCarrier
  const watch = (run: ConductedRun, from: number, orders: number) => {
    for (let i = from; i < orders; i++) if (run.journal.rows.kind[i] === LOST) lostAt.push(run.origin + run.now)
  }
  const engine = createRoomEngine(address, open, pageEnvironment(), { watch })
  await engine.start(scenario, {
    journal(journal) {
      if (!started) {
        started = true
        processor = process.cpuUsage()
        tellParent('started')
      }
      append(trace, journal)
    },
    failure: (failure) => reasons.push(failure.reason),
    ended(how) {
      ending = how
      processor = process.cpuUsage(processor)
    },
  })
  trace.ending = ending as 'drained'
  const begin = process.cpuUsage()
  const { difference } = replay(trace)
  const decided = process.cpuUsage(begin)
  return {
    ...counted(trace),
    ending,
    lostAt,
    reasons: [...new Set(reasons)],
    processor: processor.user + processor.system,
    decisions: decided.user + decided.system,
    reproduced: difference === null,
    again,
  }
}

/** Returns the contents of the record. */
function counted(
  trace: Trace,
): Pick<Conducted, 'jobs' | 'services' | 'missing' | 'doubled' | 'redone' | 'makespan' | 'worked' | 'servants'> {
  const { scenario } = trace
  const jobs = countJobs(scenario.source)
  const finished = new Uint8Array(jobs * scenario.stages.length)
  const servants = new Set<number>()
  let started = 0
  let services = 0
  let worked = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] === STARTED) started++
    if (rows.kind[i] !== FINISHED) return
    finished[rows.stage[i] * jobs + rows.job[i]]++
    services++
    servants.add(rows.worker[i])
    worked += endedAt(rows, i) - beganAt(rows, i)
  })
  return {
    jobs,
    services,
    missing: finished.filter((times) => times === 0).length,
    doubled: finished.filter((times) => times > 1).length,
    redone: started - services,
    makespan: endOf(trace),
    worked,
    servants: servants.size,
  }
}

function watching(carrier: Carrier, onMessage: (bytes: Uint8Array) => void): Carrier {
  return {
    ...carrier,
    publish(topic, bytes, retain) {
      onMessage(bytes)
      carrier.publish(topic, bytes, retain)
    },
  }
}
