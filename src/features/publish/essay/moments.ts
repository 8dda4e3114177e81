import { languageStore } from '../../../app/base/page/language.ts'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { linkTo } from '../../../app/session/address.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import type { CanvasStep } from '../../../app/session/scenario/scenarioStore.ts'
import { secretsOf } from '../../../app/session/secrets/secrets.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { sentenceOf } from '../../../measures/decisions/decisionWords.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt } from '../../../trace/findRows.ts'
import { endOf } from '../../../trace/trace.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { Palette } from '../../../views/drawing/palette.ts'
import { filmOf } from '../film/film.ts'
import type { Moment } from './essayPage.ts'

/** The drawn pictures by time: the preview needs them after every key. */
const drawn = new WeakMap<Run, { readonly palette: Palette; readonly rows: number; readonly pictures: Map<Micros, string> }>()

/** Returns what a pin shows of the run. `step` is what its live frame opens; null: without a frame. */
export function momentAt(session: Session, run: Run | null, at: Micros, step: CanvasStep | null): Moment {
  if (run === null)
    return { heading: t('At {time}.', { time: clock(at) }), decision: t('Its picture appears here when a run has ended.'), picture: null, frame: null }
  const time = Math.min(at, endOf(run.trace))
  const d = decisionIndexAt(run.trace, time)
  const explained = d >= 0 && secretsOf(session).all.length === 0
  const decision = explained
    ? t('Decision {n}: {sentence}', { n: count(d + 1), sentence: sentenceText(sentenceOf(run.scenario, decisionAt(run.trace, run.estimateHistory, d))) })
    : ''
  return {
    heading: t('At {time}.', { time: clock(time) }),
    decision,
    picture: pictureAt(run, time),
    frame: step === null ? null : frameOf(session, step, time),
  }
}

/** Returns the link to what is on the canvas, without its essay; null if it is too long. */
export function linkOf(session: Session, step: CanvasStep): string | null {
  const short = fragmentOf(step)
  return short === null ? null : linkTo(session.address, short)
}

function frameOf(session: Session, step: CanvasStep, at: Micros): string | null {
  const short = fragmentOf(step, at)
  return short === null ? null : `${linkTo(session.address, '')}?embed&lang=${languageStore.getState().language}${short}`
}

function fragmentOf({ whole, shown }: CanvasStep, at: Micros | null = null): string | null {
  const short = toShortFragment({ ...whole, essay: '' }, { branch: shown, at })
  return short.length > MAX_SHORT ? null : short
}

function pictureAt(run: Run, time: Micros): string {
  const palette = currentPalette()
  const before = drawn.get(run)
  const kept =
    before?.palette === palette && before.rows === run.trace.length ? before : { palette, rows: run.trace.length, pictures: new Map<Micros, string>() }
  drawn.set(run, kept)
  const known = kept.pictures.get(time)
  if (known !== undefined) return known
  const canvas = document.createElement('canvas')
  canvas.width = 1280
  canvas.height = 720
  filmOf(canvas, run, [0, endOf(run.trace)])(time)
  const picture = canvas.toDataURL('image/png')
  kept.pictures.set(time, picture)
  return picture
}
