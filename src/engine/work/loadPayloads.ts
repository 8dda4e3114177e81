import { t } from '../../language/translate.ts'
import { type Topology, topologyOf } from '../../pipeline/topology.ts'
import { MAX_SERVICES_ON_THREADS } from '../../scenario/model/limits.ts'
import { codeOf, doesRealWork, type Scenario, type Stage } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { countText } from '../../scenario/model/words.ts'
import { routingOf } from '../../workload/service.ts'
import { type Json, kernelOf, type Payload } from './kernels.ts'
import {
  combinedRecord,
  createPayloads,
  createPicturePayloads,
  inParts,
  type Output,
  type Payloads,
  wholeRecords,
} from './payloads.ts'
import { createLogLines, fileDigest, readLines } from './textLines.ts'

/** Throws an Error for users if the scenario would take too long on threads or cannot be played there. */
export function checkBounds(scenario: Scenario, runsCode = false): void {
  const { source, stages } = scenario
  const jobs = countJobs(source)
  const topology = topologyOf(scenario)
  const coded = runsCode ? undefined : stages.find((stage) => codeOf(stage) !== null)
  if (coded !== undefined)
    throw new Error(
      t('{name} has code, which cannot run here. The simulation takes its declared service time.', {
        name: coded.name,
      }),
    )
  if (source.kind === 'image' && topology.copies && stages.some(doesRealWork))
    throw new Error(
      t('A picture takes no copies of its tiles. Route them instead of copying them, or use the simulation.'),
    )
  if (leavesMixed(stages, topology))
    throw new Error(
      t(
        'Some records would leave compressed here and others not. Let every way to the sink pass gzip, or none, or use the simulation.',
      ),
    )
  if (jobs * stages.length <= MAX_SERVICES_ON_THREADS) return
  const maxJobs = Math.floor(MAX_SERVICES_ON_THREADS / stages.length)
  throw new Error(
    t('A real run has at most {services} services, so {jobs} jobs here. The simulation takes more.', {
      services: countText(MAX_SERVICES_ON_THREADS),
      jobs: countText(maxJobs),
    }),
  )
}

/** Returns the payloads of the jobs: tiles, lines of the file, or a generated log; null without real work or file. Rejects for the wrong file. */
export async function loadPayloads(scenario: Scenario, file: Blob | null): Promise<Payloads | null> {
  const { source, stages, seed } = scenario
  const real = stages.some(doesRealWork)
  if (source.kind === 'image') return real ? createPicturePayloads(source) : null
  const compressed = stages.some((stage) => stage.work === 'gzip')
  const copies = real && topologyOf(scenario).copies
  const payloadsOf = (lines: (job: number) => Payload, lengthOf?: (job: number) => number) =>
    createPayloads(copies ? inParts(scenario, lines, combinedRecord) : wholeRecords(lines), compressed, lengthOf)
  if (source.kind === 'values') return payloadsOf((job) => payloadOf(source.values[job] as Json))
  if (stages.some((stage) => codeOf(stage) !== null) && source.kind !== 'lines') return payloadsOf(payloadOf)
  if (source.kind !== 'lines') return real ? payloadsOf(createLogLines(seed)) : null
  if (file === null)
    throw new Error(t('This pipeline reads the lines of a file, and there is none. Drop a text file on the page.'))
  const lines = await readLines(file, Math.floor(MAX_SERVICES_ON_THREADS / stages.length))
  if (lines.length !== source.jobs || (source.digest !== '' && (await fileDigest(file)) !== source.digest))
    throw new Error(t('This is another file than the one that the scenario was made with. Drop that one on the page.'))
  return payloadsOf(
    (job) => lines[job],
    (job) => lines[job].length,
  )
}

function payloadOf(value: Json): Payload {
  return typeof value === 'string' ? value : { record: value }
}

/** Returns whether some ways to the sink pass a stage that compresses and others do not. */
function leavesMixed(stages: readonly Stage[], { order, before, ways }: Topology): boolean {
  const packed = new Uint8Array(stages.length)
  let out = -1
  for (const stage of order) {
    packed[stage] = stages[stage].work === 'gzip' || before[stage].some((from) => packed[from] === 1) ? 1 : 0
    if (before[stage].some((from) => packed[from] !== packed[before[stage][0]])) return true
    if (ways[stage].length > 0) continue
    if (out >= 0 && out !== packed[stage]) return true
    out = packed[stage]
  }
  return false
}

const REPORT_MILLISECONDS = 50

/** Returns a run's output made by one thread, record by record, without failed ones: if order is kept, its checksum is the same. Null without payload. */
export async function runInSequence(
  scenario: Scenario,
  file: Blob | null,
  progress: (share: number) => void,
): Promise<Output | null> {
  checkBounds(scenario)
  const runPayloads = await loadPayloads(scenario, file)
  if (runPayloads === null) return null
  const jobs = countJobs(scenario.source)
  const stagesOf = createStagesOf(scenario)
  const failing = scenario.stages.map((stage) => new Set(stage.fails?.jobs))
  let reported = performance.now()
  for (let job = 0; job < jobs; job++) {
    try {
      const stages = stagesOf(job)
      if (stages.some((stage) => failing[stage].has(job))) continue
      for (const stage of stages) {
        const kernel = kernelOf(scenario.stages[stage].work)
        runPayloads.put(job, stage, kernel === null ? null : await kernel(runPayloads.at(job, stage)))
      }
      runPayloads.release(job)
    } catch {
      runPayloads.drop(job)
    }
    if (performance.now() - reported < REPORT_MILLISECONDS) continue
    reported = performance.now()
    progress((job + 1) / jobs)
  }
  progress(1)
  return runPayloads.output()
}

/** Returns a function that returns the stages that a job passes, each after all that feed it. */
function createStagesOf(scenario: Scenario): (job: number) => readonly number[] {
  const { firsts, order, ways, routes } = topologyOf(scenario)
  const routeOf = routingOf(scenario)
  const all = Array.from(order)
  if (!routes.includes(1)) return () => all
  return (job) => {
    const reached = new Set(firsts)
    return all.filter((stage) => {
      if (!reached.has(stage)) return false
      for (const next of routes[stage] === 1 ? [routeOf(stage, job)] : ways[stage]) reached.add(next)
      return true
    })
  }
}
