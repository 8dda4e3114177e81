import { t } from '../../../language/translate.ts'
import { type Opening, recordViews, sidePanels } from '../../../scenario/link/opening.ts'
import { decisionIndexAt } from '../../../trace/follow.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import { panelStore } from '../../session/page/showing.ts'
import { shownTimeline } from '../../session/page/timelineStore.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'

/** A part of the current page that a link can carry. */
export interface ViewPart {
  readonly key: string
  readonly words: string
  /** Whether the link carries it by default. */
  readonly meant: boolean
  readonly opening: Partial<Opening>
}

/** The parts of the view that panels of features offer while they are open. */
const offers = part(() => new Set<() => readonly ViewPart[]>())

/** Lets a panel offer parts of the view that a link can carry. They open the panel too. Returns a function that takes the offer back. */
export function offerView(session: Session, parts: () => readonly ViewPart[]): () => void {
  offers(session).add(parts)
  return () => offers(session).delete(parts)
}

export function viewNow(session: Session): readonly ViewPart[] {
  const { run } = runStore(session).getState()
  const opened = panelStore(session).getState()
  // A link opens no tab that only this page has, such as that of its room.
  const panel = sidePanels.find((key) => key === opened.panel) ?? 'decision'
  const record = recordViews.find((key) => key === opened.record) ?? 'timeline'
  const parts: ViewPart[] = []
  const add = (key: string, words: string, opening: Partial<Opening>, meant = false) =>
    parts.push({ key, words, meant, opening })
  if (run !== null) {
    const time = Math.round(playback(session).time)
    if (time > 0) add('time', t('At {time}', { time: clock(time) }), { at: time })
    const decision = decisionIndexAt(run.trace, time)
    if (decision >= 0 && panel === 'decision')
      add('decision', t('With decision {decision} open', { decision: count(decision + 1) }), { decision })
    const shown = shownTimeline(session)
    if (shown.range !== null && shown.timeline !== null) {
      const range = [Math.max(0, Math.floor(shown.range[0])), Math.ceil(shown.range[1])] as const
      add('range', t('With the timeline from {from} to {to}', { from: clock(range[0]), to: clock(range[1]) }), {
        range,
      })
    }
  }
  const names = panelNames()
  const offered = [...offers(session)].flatMap((parts) => parts())
  parts.push(...offered)
  const open = [
    ...(panel === 'decision' ? [] : [names[panel]]),
    ...(record === 'timeline' || offered.length > 0 ? [] : [names[record]]),
  ]
  if (open.length > 0)
    add('panels', t('With these panels open: {panels}', { panels: open.join(', ') }), {
      ...(panel !== 'decision' && { panel }),
      ...(record !== 'timeline' && { record }),
    })
  return parts
}

function panelNames() {
  return {
    decision: t('Decision'),
    figures: t('Results'),
    scenario: t('Settings'),
    text: t('JSON'),
    timeline: t('Timeline'),
    compare: t('Compare'),
    sweep: t('What if'),
    reality: t('Real vs simulated'),
  }
}
