import { t, tStored } from '../../../language/translate.ts'
import { lossesOf, stuckSentences } from '../../../measures/frame/endingWords.ts'
import type { Watched } from '../../../runs/remote/runWatch.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { translatedReason } from '../../../scheduler/codePolicy.ts'
import { endOf, type Trace } from '../../../trace/trace.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/files.ts'
import type { Run } from './runStore.ts'

/** Returns a warning that precedes the status line when a run is silent; else empty. */
export function watchWords(watched: Watched): string {
  if (watched === 'ok') return ''
  return watched === 'restarted'
    ? t('No answer for 30 s. The run was started again.')
    : t('No answer for 30 s. Wait, or press Stop.')
}

/** Returns the status line of a run on threads. `begins`: when its branch begins; a real run also plays the part before that. */
export function threadsSentence(
  { trace: { scenario, engine, failures }, startedAt }: { readonly trace: Trace; readonly startedAt: number },
  begins: Micros,
): string {
  const n = scenario.workers
  // The script of the workers may still be on its way, or the devices.
  const inRoom = engine === 'room'
  if (Number.isNaN(startedAt))
    return inRoom
      ? t('Waiting for the workers of the room.')
      : t('Starting {n, plural, one {# Web Worker} other {# Web Workers}}.', { n })
  const running = inRoom
    ? t('Running on the room')
    : t('Running on {n, plural, one {# Web Worker} other {# Web Workers}}', { n })
  const lost = lossesOf(failures)
  const now = lost === null ? running : `${running}, ${lost}`
  return begins > 0 ? t('{running}: the branch begins at {time}.', { running: now, time: clock(begins) }) : `${now}.`
}

/** Returns a note that the record is partial; empty for a complete one. */
export function beginsWords({ begins }: Trace): string {
  if (begins === null) return ''
  const values = { time: clock(begins.time), arrived: count(begins.arrived) }
  return t('The record begins at {time}, after {arrived} arrivals. Counts before that are too low.', values)
}

/** Returns how long a simulation took; `took`: in milliseconds of real time. */
export const simulatedSentence = (took: number) =>
  t('Simulated in {time}.', { time: duration(Math.max(1, Math.round(took)) * 1000) })

/** Returns the status line of a run that is shown: of one that the page played by itself, only how long the simulation took. */
export function quietSentence({ trace, took, quiet = false }: Pick<Run, 'trace' | 'took' | 'quiet'>): string {
  return quiet && took !== undefined && trace.ending === 'drained' ? simulatedSentence(took) : endSentence(trace)
}

export function endSentence(trace: Trace): string {
  const { arrived, released, failed, gaveUp } = trace.head.counts
  const lost = lossesOf(trace.failures)
  const broken = trace.failures.find(({ kind }) => kind === 'run')
  if (broken !== undefined && trace.ending === 'stuck')
    return t('Failed: {reason}.', { reason: readable(translatedReason(broken.reason), 300).replace(/\.$/, '') })
  const out = [
    t('{released} of {n, plural, one {# job} other {# jobs}} in {time}', {
      released: count(released),
      n: arrived,
      time: duration(endOf(trace)),
    }),
    ...(failed > 0 ? [t('{n, number} failed', { n: failed }) + firstReason(trace)] : []),
    ...(gaveUp > 0 ? [t('{n, number} given up', { n: gaveUp })] : []),
    ...(lost === null ? [] : [lost]),
  ].join(', ')
  if (trace.ending === 'stopped' || trace.ending === null) return t('Stopped: {out}.', { out })
  if (trace.ending === 'stuck')
    return t('Failed: {reason}.', { reason: `${out}; ${stuckSentences(trace)}`.replace(/\.$/, '') })
  return t('Finished: {out}.', { out })
}

/** Returns why the first job failed, if that is known. People count jobs from 1. */
function firstReason({ failures, scenario }: Trace): string {
  const first = failures.find(({ kind, job }) => kind === 'job' && job !== undefined)
  if (first?.job === undefined || first.stage === undefined) return ''
  const values = {
    n: count(first.job + 1),
    stage: scenario.stages[first.stage].name,
    reason: readable(tStored(first.reason)),
  }
  return t(' (job {n} at {stage}: {reason})', values)
}
