import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import { duration, percent } from '../../../views/drawing/format.ts'
import type { RoomQuestion } from '../protocol/rounds.ts'

/** Returns what people call a device. Names come from strangers: they are shown as they are, and as text only. */
export function deviceName({ name, number }: { readonly name: string; readonly number: number }): string {
  return name === '' ? t('Device {number}', { number }) : name
}

/** Returns the name, or with the least number from 2 on behind it if somebody else is called that. No name stays none. */
export function distinctName(name: string, others: readonly { readonly name: string }[]): string {
  if (name === '') return name
  const taken = new Set(others.map((other) => other.name))
  let distinct = name
  for (let n = 2; taken.has(distinct); n++) distinct = `${name} ${n}`
  return distinct
}

/** Returns what people call the device with this id, also if it has left meanwhile. */
export function nameOfDevice(devices: readonly { readonly id: string; readonly name: string; readonly number: number }[], id: string): string {
  const device = devices.find((each) => each.id === id)
  return device === undefined ? t('a device that has left') : deviceName(device)
}

/** Returns how many are there. */
export function presentWords(devices: readonly { readonly threads: number }[]): string {
  const threads = devices.reduce((sum, device) => sum + device.threads, 0)
  return t('{threads, plural, one {# worker} other {# workers}} on {devices, plural, one {# device} other {# devices}}', {
    threads,
    devices: devices.length,
  })
}

/** Returns how the connection is, where that matters; null if all is well. */
export function linkWords(link: 'opening' | 'up' | 'down', problem: string | null): string | null {
  if (link === 'up') return null
  if (link === 'opening') return t('Looking for the room’s broker.')
  return problem === null ? t('The room’s broker does not answer; trying again.') : t('{problem} Trying again.', { problem })
}

/** What a device may lack, by the names of the platform, and what follows from that. */
export function lackWords(lack: string): string {
  if (lack === 'crypto.subtle') return t('hashes in plain JavaScript, more slowly')
  if (lack === 'navigator.locks') return t('a thread that ends is noticed later')
  if (lack === 'SharedArrayBuffer') return t('its clock is less exact')
  return lack
}

/** Returns why no run can begin while nobody is there. */
export function nobodyWords(): string {
  return t('Nobody is in the room yet. Let a phone scan the code in the tab Room.')
}

/** Returns the question as the host and every device show it, each in its language. */
export function questionWords(question: RoomQuestion): string {
  switch (question.kind) {
    case 'peak':
      return t('How many workers will be busy at {stage} at once, at its peak?', { stage: isolated(question.stage.name) })
    case 'makespan':
      return t('How long will the run take?')
    case 'longestWait':
      return t('At which stage will a job wait longest, on average?')
  }
}

/** Returns an answer in words. */
export function answerWords(question: RoomQuestion, answer: number): string {
  if (question.kind === 'makespan') return duration(answer)
  if (question.kind === 'peak') return t('{n, plural, one {# worker} other {# workers}}', { n: answer })
  return isolated(question.stages[answer]?.name ?? '')
}

/** Returns what happened in words, from the right answers. */
export function happenedWords(question: RoomQuestion, right: readonly number[]): string {
  if (right.length === 0) return t('No job waited.')
  const answer = listed(right.map((each) => answerWords(question, each)))
  if (question.kind === 'makespan') return t('The run took {answer}.', { answer })
  if (question.kind === 'peak') return t('At the peak: {answer}.', { answer })
  return t('Jobs waited longest at {answer}.', { answer })
}

/** What came of a question, on the screen of a device: what happened, and how near its guess was. */
interface NearWords {
  readonly happened: string
  /** Null if nobody has guessed here. */
  readonly mine: string | null
  readonly right: boolean
}

/** Returns how near a guess was. */
export function nearWords(question: RoomQuestion, right: readonly number[], guess: number | null): NearWords {
  const happened = happenedWords(question, right)
  if (guess === null) return { happened, mine: null, right: false }
  if (right.includes(guess)) return { happened, mine: t('Exactly right.'), right: true }
  const said = answerWords(question, guess)
  if (question.kind === 'longestWait' || right.length === 0) return { happened, mine: t('You said {said}.', { said }), right: false }
  const off = guess - right[0]
  if (question.kind === 'peak') {
    const n = Math.abs(off)
    return { happened, mine: off > 0 ? t('You said {said}: {n} too many.', { said, n }) : t('You said {said}: {n} too few.', { said, n }), right: false }
  }
  const share = percent(Math.abs(off) / Math.max(1, right[0]), 0)
  return {
    happened,
    mine: off > 0 ? t('You said {said}: {share} too long.', { said, share }) : t('You said {said}: {share} too short.', { said, share }),
    right: false,
  }
}
