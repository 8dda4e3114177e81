import type { ThreadsListener } from '../../../engine/conductor/conductedRun.ts'
import { type ConductorOptions, createConductor } from '../../../engine/conductor/conductor.ts'
import type { Environment, NewWorkers } from '../../../engine/conductor/environment.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Payload } from '../../../engine/work/kernels.ts'
import { loadPayloads } from '../../../engine/work/loadPayloads.ts'
import { createPicturePayloads, inParts, type Payloads, wholeRecords } from '../../../engine/work/payloads.ts'
import { sha256Hex } from '../../../engine/work/textLines.ts'
import { SINK, topologyOf } from '../../../pipeline/topology.ts'
import { MAX_REAL_WORKERS } from '../../../scenario/model/limits.ts'
import { codeOf, type Micros, type Scenario } from '../../../scenario/model/scenario.ts'
import { type FrameRun, startFrameThread } from './frameThread.ts'
import { joinedWires, plainTextOf, tileInValue, type Wire, wireOf, wireValue } from './wire.ts'

/** This many threads in a row may break before one has answered; then no more are started. */
const BAD_STARTS = 16

/** If a thread has not greeted after this long, its frame may be gone. The pool gives the thread up after three seconds. */
const SILENT: Micros = 2_500_000

/** Returns the engine whose workers run code of stages: in threads of a frame without an origin, to which `frame` leads. A thread that is lost is replaced. */
export function createStageEngine(frame: MessagePort, environment: Environment, options: ConductorOptions): Engine {
  const heard = new Map<number, (words: string) => void>()
  let badStarts = 0
  /** Threads that have greeted and not ended. */
  let alive = 0
  /** The number of frames so far. If code fills the memory, Chromium ends the frame with all its threads, without an event. */
  let frames = 1
  frame.onmessage = ({ data }: MessageEvent<{ readonly thread: number; readonly words: string }>) =>
    heard.get(data.thread)?.(data.words)
  const newWorkers: NewWorkers = {
    free: () => (badStarts < BAD_STARTS ? MAX_REAL_WORKERS : 0),
    onNewWorker() {},
    waited: () => (badStarts < BAD_STARTS ? 0 : Number.MAX_SAFE_INTEGER),
    patience: 1,
  }
  let run: FrameRun
  const conductor = createConductor(
    {
      ...environment,
      newWorkers,
      start(worker, events) {
        const thread = startFrameThread(run, worker, events)
        const [startedAt, startedIn] = [environment.now(), frames]
        let answered = false
        let ended = false
        return {
          ...thread,
          async hello() {
            const hello = await thread.hello()
            answered = true
            alive++
            badStarts = 0
            return hello
          },
          end() {
            thread.end()
            if (ended) return
            ended = true
            if (answered) alive--
            else badStarts++
            if (answered || alive > 0 || startedIn < frames || environment.now() - startedAt < SILENT) return
            frames++
            frame.postMessage({ gone: true })
          },
        }
      },
    },
    {
      ...options,
      // A stage with code makes every scenario one with payloads.
      loadPayloads: async (scenario, file) =>
        createStagePayloads(scenario, (await loadPayloads(scenario, file)) as Payloads),
    },
  )
  return {
    start(scenario: Scenario, listener: ThreadsListener) {
      const codes = scenario.stages.flatMap((stage, k) => {
        const code = codeOf(stage)
        return code === null ? [] : [[k, code] as const]
      })
      run = {
        ...{
          frame,
          codes,
          seed: scenario.seed,
          now: environment.now,
          tries: new Map(),
          stages: scenario.stages.length,
          number: 0,
        },
        startOwn: codes.length < scenario.stages.length ? environment.start : null,
        hear(thread, call) {
          heard.set(thread, call)
          return () => heard.delete(thread)
        },
      }
      return conductor.start(scenario, listener)
    },
    stop: () => conductor.stop(),
  }
}

/**
 * Returns the values between stages of which some have code, as texts with their bytes (see `Wire`). `first` are those with which jobs arrive. The output is in the order of
 * the jobs, whatever order they leave in: tiles of a picture, lines of text if all values are texts, otherwise JSON lines.
 */
function createStagePayloads(scenario: Scenario, first: Payloads): Payloads {
  const { source } = scenario
  const arriving = (job: number) => wireOf(first.at(job, SINK))
  const values = topologyOf(scenario).copies ? inParts(scenario, arriving, joinedWires) : wholeRecords(arriving)
  const picture = source.kind === 'image' ? createPicturePayloads(source) : null
  const made = new Map<number, Wire>()
  let drawn = 0

  return {
    at: (job, stage) => values.at(job, stage) as unknown as Payload,
    put: (job, stage, payload) => values.put(job, stage, payload as Wire | null),
    release(job) {
      const wire = values.at(job, SINK)
      values.forget(job)
      first.drop(job)
      const tile = picture === null ? null : tileIn(wire)
      if (picture !== null && tile !== null) {
        picture.put(job, 0, tile)
        picture.release(job)
        drawn++
      } else made.set(job, wire)
    },
    drop(job) {
      values.forget(job)
      first.drop(job)
    },
    async output() {
      if (picture !== null && drawn > 0 && made.size === 0) return picture.output()
      const jobs = [...made.keys()].sort((a, b) => a - b)
      const plain = jobs.every((job) => made.get(job)?.text.startsWith('"'))
      const lines = jobs.map((job) => `${lineOf(made.get(job) as Wire, plain)}\n`)
      const bytes = await new Blob(lines).arrayBuffer()
      const blob = new Blob([bytes], { type: plain ? 'text/plain' : 'application/json' })
      return {
        blob,
        sha256: await sha256Hex(bytes),
        records: lines.length,
        bytes: bytes.byteLength,
        compressed: false,
        plain,
        picture: null,
      }
    },
    // The declared service time says how long a job may take here.
    atMost: () => 0,
    takeTiles: () => picture?.takeTiles() ?? [],
  }
}

/** What code has made up may be no JSON at all: it stands as it is. */
function lineOf(wire: Wire, plain: boolean): string {
  try {
    return plain ? (JSON.parse(wire.text) as string) : plainTextOf(wire)
  } catch {
    return wire.text.replaceAll('\n', ' ')
  }
}

function tileIn(wire: Wire) {
  try {
    return tileInValue(wireValue(wire))
  } catch {
    return null
  }
}
