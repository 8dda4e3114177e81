import { say } from '../../../language/say.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { serviceKinds } from '../inspector/serviceKinds.ts'
import { sourceKinds } from '../inspector/sourceKinds.ts'

/** The labels of the forms, by the key they stand for. */
const whole = (): Readonly<Record<string, string>> => ({
  title: say('Title'),
  seed: say('Seed'),
  source: say('Arrivals'),
  stages: say('Stages'),
  links: say('Links'),
  workers: say('Workers'),
  cores: say('Cores'),
  workerEvents: say('Workers come and go'),
  policy: say('Rule'),
  estimator: say('Estimate'),
  batch: say('Batch'),
  switchCost: say('Switch cost'),
  later: say('Turns'),
  branches: say('Branch'),
  order: say('Jobs leave'),
})
const ofStage = (): Readonly<Record<string, string>> => ({
  name: say('Name'),
  service: say('Service time'),
  changes: say('Change'),
  work: say('On threads'),
  fails: say('Failures'),
  capacity: say('Queue, at most'),
  discipline: say('Queue, order'),
  whenTaken: say('Same group'),
  position: say('Place on the canvas'),
  fanOut: say('Next stages'),
  join: say('Parts'),
})
const inStage = (): Readonly<Record<string, string>> => ({
  ...labelsOf(Object.values(serviceKinds())),
  service: say('Service time'),
  from: say('From job'),
  tries: say('Tries'),
})
const inner = (): Readonly<Record<string, string>> => ({
  allocation: say('Seats'),
  p: say('Power'),
  lend: say('Lend idle hands'),
  kp: say('Proportional'),
  ki: say('Integral'),
  kd: say('Derivative'),
  setpoint: say('Queue aimed at'),
  up: say('Hire at'),
  down: say('Dismiss at'),
  clamp: say('Clamp integral'),
  high: say('Hire above'),
  idle: say('Dismiss after'),
  every: say('Period'),
  n: say('Latest'),
  alpha: say('Newest weighs'),
  prior: say('Unmeasured'),
  size: say('Jobs'),
  inHand: say('Second in hand'),
  slots: say('Slots'),
  at: say('At'),
  worker: say('Worker'),
})
// From the last kind to the first, which calls things by their plain names.
const ofSource = (): Readonly<Record<string, string>> => ({ ...labelsOf(Object.values(sourceKinds()).reverse()), at: say('Times') })

/** Where a problem is, in the words of the forms: `Stage "Enrich", Service time, Mean`; empty where no form shows it. */
export function placeOf({ path, stage }: Problem, { stages }: Pick<Scenario, 'stages'>): string {
  const keys = path.match(/[^.[\]"]+/g) ?? []
  const [first, second] = keys
  if (first === undefined || !Object.hasOwn(whole(), first)) return ''
  if (first !== 'stages' || second === undefined) return listed([whole()[first], ...keys.slice(1).map(named(first === 'source' ? ofSource() : inner()))])
  const own = stages[Number(second)]?.name
  const name = stage ?? (own === undefined ? `${Number(second) + 1}` : `"${own}"`)
  const [third, ...rest] = keys.slice(2)
  const words = third === undefined ? [] : [ofStage()[third] ?? third, ...rest.map(third === 'fails' ? failure : named(inStage()))]
  return listed([say('Stage {name}', { name }), ...words])
}

/** An index is counted from 1, as on the screen. */
function named(labels: Readonly<Record<string, string>>): (key: string) => string {
  return (key) => (/^\d+$/.test(key) ? `${Number(key) + 1}` : Object.hasOwn(labels, key) ? labels[key] : key)
}

function failure(key: string): string {
  return key === 'jobs' ? say('Job numbers') : named(inStage())(key)
}

/** A number belongs to the word before it: `Change 2`. */
function listed(words: readonly string[]): string {
  return words.reduce((text, word) => `${text}${/^\d+$/.test(word) ? ' ' : ', '}${word}`)
}

/** Where kinds call one key by several names, by the last of them. */
function labelsOf(kinds: readonly { readonly params: readonly { readonly key: string; readonly label: string }[] }[]): Record<string, string> {
  return Object.fromEntries(kinds.flatMap(({ params }) => params.map(({ key, label }) => [key, label])))
}
