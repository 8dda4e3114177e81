import { isolated, t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import { duration, MULTIPLE, percent, timesAsLong } from '../../../views/drawing/format.ts'
import type { RoomQuestion } from '../protocol/rounds.ts'

/** Returns the name of a device. It comes from a stranger and is shown as text only. */
export function deviceName({ name, number }: { readonly name: string; readonly number: number }): string {
  return name === '' ? t('Device {number}', { number }) : name
}

/** Returns the name, followed by the first free number from 2 up if it is taken. An empty name stays empty. */
export function distinctName(name: string, others: readonly { readonly name: string }[]): string {
  if (name === '') return name
  const taken = new Set(others.map((other) => other.name))
  let distinct = name
  for (let n = 2; taken.has(distinct); n++) distinct = `${name} ${n}`
  return distinct
}

/** Returns the name of the device with this id, even if it has left. */
export function nameOfDevice(
  devices: readonly { readonly id: string; readonly name: string; readonly number: number }[],
  id: string,
): string {
  const device = devices.find((each) => each.id === id)
  return device === undefined ? t('a device that has left') : deviceName(device)
}

/** Returns the numbers of workers and devices. */
export function presentWords(devices: readonly { readonly threads: number }[]): string {
  const threads = devices.reduce((sum, device) => sum + device.threads, 0)
  const values = { threads, devices: devices.length }
  return t(
    '{threads, plural, one {# worker} other {# workers}} on {devices, plural, one {# device} other {# devices}}',
    values,
  )
}

/** Returns the problem of the connection; null if it is up. */
export function linkWords(link: 'opening' | 'up' | 'down', problem: string | null): string | null {
  if (link === 'up') return null
  if (link === 'opening') return t('Looking for the room’s broker.')
  return problem === null
    ? t('The room’s broker does not answer; trying again.')
    : t('{problem} Trying again.', { problem })
}

/** Stands among what a device lacks if its page is of another build than that of the latest comer. */
export const OTHER_VERSION = 'version'

/** Returns the consequence of what a device lacks, by its name in the platform. */
export function lackWords(lack: string): string {
  if (lack === 'crypto.subtle') return t('hashes in plain JavaScript, more slowly')
  if (lack === 'navigator.locks') return t('a thread that ends is noticed later')
  if (lack === OTHER_VERSION) return t('runs another version of this page; reload it there')
  return lack === 'SharedArrayBuffer' ? t('its clock is less exact') : lack
}

/** Returns why no run can start in an empty room. */
export const emptyRoomWords = (): string => t('Nobody is in the room yet. Let a phone scan the code in the tab Room.')

/** Returns the text of a question. */
export function questionWords(question: RoomQuestion): string {
  if (question.kind === 'makespan') return t('How long will the run take?')
  if (question.kind === 'longestWait') return t('At which stage will a job wait longest, on average?')
  return t('How many workers will be busy at {stage} at once, at its peak?', { stage: isolated(question.stage.name) })
}

/** Returns the text of an answer. */
export function answerWords(question: RoomQuestion, answer: number): string {
  if (question.kind === 'makespan') return duration(answer)
  if (question.kind === 'peak') return t('{n, plural, one {# worker} other {# workers}}', { n: answer })
  return isolated(question.stages[answer]?.name ?? '')
}

/** Returns what happened, from the right answers. */
export function happenedWords(question: RoomQuestion, right: readonly number[]): string {
  if (right.length === 0) return t('No job waited.')
  const answer = listed(right.map((each) => answerWords(question, each)))
  if (question.kind === 'makespan') return t('The run took {answer}.', { answer })
  if (question.kind === 'peak') return t('At the peak: {answer}.', { answer })
  return t('Jobs waited longest at {answer}.', { answer })
}

/** Returns how near a guess was. */
export function nearWords(question: RoomQuestion, right: readonly number[], guess: number): string {
  if (right.includes(guess)) return t('Exactly right.')
  const answer = answerWords(question, guess)
  if (question.kind === 'longestWait' || right.length === 0) return t('You said {answer}.', { answer })
  const high = guess > right[0]
  const n = Math.abs(guess - right[0])
  if (question.kind === 'peak')
    return high
      ? t('You said {answer}: {n} too many.', { answer, n })
      : t('You said {answer}: {n} too few.', { answer, n })
  const ratio = guess / Math.max(1, right[0])
  if (ratio >= MULTIPLE) return t('You said {answer}: {times}.', { answer, times: timesAsLong(ratio) })
  const share = percent(Math.abs(ratio - 1), 0)
  return high
    ? t('You said {answer}: {share} too long.', { answer, share })
    : t('You said {answer}: {share} too short.', { answer, share })
}
