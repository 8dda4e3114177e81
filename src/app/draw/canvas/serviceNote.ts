import { t } from '../../../language/translate.ts'
import type { ServiceNow } from '../../../measures/frame/frame.ts'
import { duration } from '../../../views/drawing/format.ts'
import type { StageNote } from '../../../views/pipeline/stageCard.ts'

/** A measured mean of fewer services says little. */
const MEASURED = 5
/** How far a measured mean may be above the declared one before the card marks it. */
const SLOWER = 1.25

/** Returns what a service costs now if the scenario changes it, and on real workers what was measured; else null. */
export function serviceNote({ before, now, measured, services }: Omit<ServiceNow, 'service'>, real: boolean): StageNote | null {
  const changed = now === before ? null : `${duration(before)} → ${duration(now)}`
  if (!real || services < MEASURED) return changed === null ? null : { texts: [changed], slow: now > before }
  const measuredText = t('measured {time}', { time: duration(measured) })
  const texts = changed === null ? [measuredText] : [`${changed} · ${measuredText}`, `${duration(now)} · ${measuredText}`, measuredText]
  return { texts, slow: now > before || measured > SLOWER * now }
}
