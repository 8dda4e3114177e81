import { t, tStored } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { testVectorOf, writeDecisionsCsv } from '../../../measures/decisions/decisionExports.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { frameAt, isPresent } from '../../../measures/frame/frame.ts'
import { writeTraceEvents } from '../../../measures/profile/traceEvents.ts'
import { extendChart } from '../../../measures/series/chart.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import { decisionIndexAt } from '../../../trace/follow.ts'
import { writeTraceJson } from '../../../trace/formats/traceJson.ts'
import { endOf } from '../../../trace/trace.ts'
import { escaped } from '../../../views/drawing/svg.ts'
import { recordSvg } from '../../../views/export/recordSvg.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import { download, fileName } from '../../base/browser/files.ts'
import { languageStore } from '../../base/page/language.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { marksOf } from '../../draw/faults/faultWords.ts'
import { jobClockOf } from '../../draw/faults/jobClock.ts'
import { linkTo } from '../../session/address.ts'
import { playback } from '../../session/run/playback.ts'
import { endSentence } from '../../session/run/runSentences.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { showError } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/** Saves the whole run as JSON, with every row and decision. */
export function saveTrace(session: Session, run: Run): Promise<void> {
  return save(session, run, '.trace.json', writeTraceJson(run.trace))
}

export function saveEvents(session: Session, run: Run): Promise<void> {
  return save(session, run, '.events.json', writeTraceEvents(run.trace))
}

export function saveDecisions(session: Session, run: Run): Promise<void> {
  return save(session, run, '.decisions.csv', writeDecisionsCsv(run.trace, estimateHistoryOf(run.trace)), 'text/csv')
}

export function saveDecision(session: Session, { trace, scenario }: Run): Promise<void> {
  const d = Math.max(0, decisionIndexAt(trace, playback(session).time))
  return download(fileName(scenario.title, `.decision-${d + 1}.json`), [
    `${JSON.stringify(testVectorOf(scenario, decisionAt(trace, estimateHistoryOf(trace), d)), null, 2)}\n`,
  ])
}

/** Writes a file. The status line says so, since a long trace takes a while. */
async function save(session: Session, run: Run, ending: string, parts: Iterable<string>, type?: string): Promise<void> {
  const store = runStore(session)
  const { status } = store.getState()
  const writing = () => t('Writing the file.')
  store.setState({ status: writing })
  await download(fileName(run.scenario.title, ending), parts, type)
  if (store.getState().status !== writing) return
  store.setState({ status })
}

/** Pixels for each unit of the picture, so that it is sharp on paper too. */
const SCALE = 2

/** Saves the run as a picture in the colours of the page, with the parliament at the playhead. */
export async function savePicture(session: Session, run: Run, kind: 'SVG' | 'PNG'): Promise<void> {
  const svg = runPicture(session, run)
  if (kind === 'SVG') return download(fileName(run.scenario.title, '.svg'), [svg], 'image/svg+xml')
  try {
    await download(fileName(run.scenario.title, '.png'), await rendered(svg), 'image/png')
  } catch (error) {
    showError(
      session,
      t('The picture cannot be drawn: {why}', { why: error instanceof Error ? error.message : String(error) }),
    )
  }
}

/** Saves a page for readers without a network, in one file: the picture, how the run ended, and a link to the scenario. */
export function savePage(session: Session, run: Run): Promise<void> {
  const { scenario, trace } = run
  const short = toShortFragment(scenario)
  const link =
    short.length > MAX_SHORT
      ? ''
      : `<p><a href="${escaped(linkTo(session.address, short))}">${escaped(t('Open in Apportion'))}</a></p>`
  const title = escaped(tStored(scenario.title) || 'Apportion')
  const page = `<!doctype html>
<html lang="${languageStore.getState().language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>:root{color-scheme:light dark;font:17px/1.6 system-ui,sans-serif}body{max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}svg{width:100%;height:auto}</style>
<h1>${title}</h1>
<p>${escaped(endSentence(trace))}</p>
${runPicture(session, run)}
${link}
</html>
`
  return download(fileName(scenario.title, '.html'), [page], 'text/html')
}

/** Returns the faults of a run where they happened. */
export function marksIn(run: Run): readonly FaultMark[] {
  const { scenario, trace } = run
  const changing = scenario.stages.filter(({ changes }) => changes.length > 0).map(({ id }) => id)
  return marksOf(scenario, run, jobClockOf(scenario, run, changing, Infinity)).filter(
    ({ time }) => time <= endOf(trace),
  )
}

export function runPicture(session: Session, run: Run, palette = currentPalette()): string {
  const { scenario, trace, chart } = run
  extendChart(chart)
  const at = Math.min(playback(session).time, endOf(trace))
  const frame = frameAt(trace, at)
  return recordSvg({
    palette,
    title: scenario.title || 'Apportion',
    end: endOf(trace),
    at,
    stages: scenario.stages.map(({ name }) => name),
    workers: frame.workers.length,
    workersAt: frame.workers.filter(isPresent).length,
    seatsAt: frame.stages.map(({ seats }) => seats),
    staffedAt: frame.stages.map(({ staffed }) => staffed),
    queues: chart.queues,
    seats: chart.seats,
    lanes: chart.lanes,
    widthOf: widthsIn(palette.font),
    marks: marksIn(run),
  })
}

/** Returns a function that measures texts as the browser paints them. */
export function widthsIn(font: string): (text: string, size: number, weight: number) => number {
  const context = document.createElement('canvas').getContext('2d')
  return (text, size, weight) => {
    if (context === null) return 0
    context.font = `${weight} ${size}px ${font}`
    return context.measureText(text).width
  }
}

async function rendered(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = SCALE * image.width
    canvas.height = SCALE * image.height
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob === null) throw new Error(t('no PNG of this size'))
    return withDensity(blob, SCALE)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Pixels of a page to the metre: 96 to the inch. */
const PAGE_PIXELS = 96 / 0.0254
/** Where the header of a PNG file ends, its first chunk. */
const HEADER_END = 33

/** Returns a PNG with `scale` pixels for each pixel of the page, so that it is as large on paper and in a text as on the page (chunk pHYs). */
export async function withDensity(png: Blob, scale: number): Promise<Blob> {
  const chunk = new DataView(new ArrayBuffer(21))
  const perMetre = Math.round(PAGE_PIXELS * scale)
  chunk.setUint32(0, 9)
  chunk.setUint32(4, 0x70485973)
  chunk.setUint32(8, perMetre)
  chunk.setUint32(12, perMetre)
  chunk.setUint8(16, 1)
  chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)))
  return new Blob([png.slice(0, HEADER_END), chunk, png.slice(HEADER_END)], { type: 'image/png' })
}

/** Returns the CRC-32 of PNG. */
function checksum(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) {
    rest ^= byte
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  }
  return ~rest >>> 0
}
