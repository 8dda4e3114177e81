import { sha256Hex } from '../../../engine/work/checksum.ts'
import type { Payload } from '../../../engine/work/kernels.ts'
import { createPicturePayloads, inParts, type JobRecords, type Payloads } from '../../../engine/work/payloads.ts'
import { SINK, topologyOf } from '../../../pipeline/topology.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { joined, textOf, tileOf, valueOf, type Wire, wireOf } from './wire.ts'

/**
 * Returns the values between stages of which some have code, as texts with their bytes (see `Wire`). `first` are those with which jobs arrive. The output is in the order of
 * the jobs, whatever order they leave in: tiles of a picture, lines of text if all values are texts, otherwise JSON lines.
 */
export function createStagePayloads(scenario: Scenario, first: Payloads): Payloads {
  const { source } = scenario
  const arriving = (job: number) => wireOf(first.at(job, SINK))
  const values = topologyOf(scenario).copies ? inParts(scenario, arriving, joined) : whole(arriving)
  const picture = source.kind === 'image' ? createPicturePayloads(source) : null
  const made = new Map<number, Wire>()
  let drawn = 0
  const lineOf = (wire: Wire, plain: boolean) => (plain ? (JSON.parse(wire.text) as string) : textOf(wire))
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
      const lines = jobs.map((job) => `${linesOf(made.get(job) as Wire, plain)}\n`)
      const bytes = await new Blob(lines).arrayBuffer()
      const blob = new Blob([bytes], { type: plain ? 'text/plain' : 'application/json' })
      return { blob, sha256: await sha256Hex(bytes), records: lines.length, bytes: bytes.byteLength, compressed: false, picture: null }
    },
    // The declared service time says how long a job may take here.
    atMost: () => 0,
    takeTiles: () => picture?.takeTiles() ?? [],
  }

  /** What code has made up may be no JSON at all: it stands as it is. */
  function linesOf(wire: Wire, plain: boolean): string {
    try {
      return lineOf(wire, plain)
    } catch {
      return wire.text.replaceAll('\n', ' ')
    }
  }
}

function whole(first: (job: number) => Wire): JobRecords<Wire> {
  const now = new Map<number, Wire>()
  return {
    at: (job) => now.get(job) ?? first(job),
    put(job, _, wire) {
      if (wire !== null) now.set(job, wire)
    },
    forget: (job) => now.delete(job),
  }
}

function tileIn(wire: Wire) {
  try {
    return tileOf(valueOf(wire))
  } catch {
    return null
  }
}
