import { isolated, t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import { duration } from '../../../views/drawing/format.ts'
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
  if (link === 'opening') return t('Looking for the room.')
  return problem ?? t('The connection is lost. Trying again.')
}

/** Returns what an empty room needs before a run can start. */
export const emptyRoomWords = (): string => t('Nobody is in the room yet. Scan its code with a phone.')

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
  return t('It was {answer}.', { answer: listed(right.map((each) => answerWords(question, each))) })
}
