import type { Problem, Scenario } from '../scenario/scenario.ts'
import { serviceKinds } from './inspector/serviceKinds.ts'
import { sourceKinds } from './inspector/sourceKinds.ts'

/** The labels of the forms, by the key they stand for. */
const whole: Readonly<Record<string, string>> = {
  title: 'Title',
  seed: 'Seed',
  source: 'Arrivals',
  stages: 'Stages',
  links: 'Links',
  workers: 'Workers',
  cores: 'Cores',
  workerEvents: 'Workers come and go',
  policy: 'Rule',
  estimator: 'Estimate',
  batch: 'Batch',
  switchCost: 'Switch cost',
  later: 'Turns',
  branches: 'Branch',
  order: 'Jobs leave',
}
const ofStage: Readonly<Record<string, string>> = {
  name: 'Name',
  service: 'Service time',
  changes: 'Change',
  work: 'On threads',
  fails: 'Failures',
  capacity: 'Queue, at most',
  discipline: 'Queue, order',
  whenTaken: 'Same group',
  position: 'Place on the canvas',
  fanOut: 'Next stages',
  join: 'Parts',
}
const inStage: Readonly<Record<string, string>> = {
  ...labelsOf(Object.values(serviceKinds)),
  service: 'Service time',
  from: 'From job',
  tries: 'Tries',
}
const inner: Readonly<Record<string, string>> = {
  allocation: 'Seats',
  p: 'Power',
  lend: 'Lend idle hands',
  kp: 'Proportional',
  ki: 'Integral',
  kd: 'Derivative',
  setpoint: 'Queue aimed at',
  up: 'Hire at',
  down: 'Dismiss at',
  clamp: 'Clamp integral',
  high: 'Hire above',
  idle: 'Dismiss after',
  every: 'Period',
  n: 'Latest',
  alpha: 'Newest weighs',
  prior: 'Unmeasured',
  size: 'Jobs',
  inHand: 'Second in hand',
  slots: 'Slots',
  at: 'At',
  worker: 'Worker',
}
// From the last kind to the first, which calls things by their plain names.
const ofSource: Readonly<Record<string, string>> = { ...labelsOf(Object.values(sourceKinds).reverse()), at: 'Times' }

/** Where a problem is, in the words of the forms: `Stage "Enrich", Service time, Mean`; empty where no form shows it. */
export function placeOf({ path, stage }: Problem, { stages }: Pick<Scenario, 'stages'>): string {
  const keys = path.match(/[^.[\]"]+/g) ?? []
  const [first, second] = keys
  if (first === undefined || !Object.hasOwn(whole, first)) return ''
  if (first !== 'stages' || second === undefined) return listed([whole[first], ...keys.slice(1).map(named(first === 'source' ? ofSource : inner))])
  const own = stages[Number(second)]?.name
  const name = stage ?? (own === undefined ? `${Number(second) + 1}` : `"${own}"`)
  const [third, ...rest] = keys.slice(2)
  const words = third === undefined ? [] : [ofStage[third] ?? third, ...rest.map(third === 'fails' ? failure : named(inStage))]
  return listed([`Stage ${name}`, ...words])
}

/** An index is counted from 1, as on the screen. */
function named(labels: Readonly<Record<string, string>>): (key: string) => string {
  return (key) => (/^\d+$/.test(key) ? `${Number(key) + 1}` : Object.hasOwn(labels, key) ? labels[key] : key)
}

function failure(key: string): string {
  return key === 'jobs' ? 'Job numbers' : named(inStage)(key)
}

/** A number belongs to the word before it: `Change 2`. */
function listed(words: readonly string[]): string {
  return words.reduce((text, word) => `${text}${/^\d+$/.test(word) ? ' ' : ', '}${word}`)
}

/** Where kinds call one key by several names, by the last of them. */
function labelsOf(kinds: readonly { readonly params: readonly { readonly key: string; readonly label: string }[] }[]): Record<string, string> {
  return Object.fromEntries(kinds.flatMap(({ params }) => params.map(({ key, label }) => [key, label])))
}
