import { msg } from '../../language/msg.ts'
import type { Ending, Journal } from '../../pipeline/journal.ts'
import type { Micros } from '../../scenario/model/scenario.ts'
import type { Listener } from '../engine.ts'

/** A simulated run that is played in parts. */
export interface RunUnderWay {
  /** What has happened since it was cleared. */
  readonly journal: Journal
  /** Plays instant after instant until the journal has so many rows. Returns how the run ended; null: it goes on. */
  play(rowsAtMost: number): Ending | null
  /** Ends the run at the present instant. */
  stop(): Ending
}

/** Ends the run at the last time the clock can count. A heavy tail can reach it, which parsing cannot predict. */
export function clockEnded(listener: Listener, now: Micros): Ending {
  listener.failure({ time: now, kind: 'run', reason: msg('the next thing would happen after 142 years, where the clock of a run ends') })
  return 'stuck'
}
