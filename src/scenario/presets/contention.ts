import type { Source } from '../model/scenario.ts'
import { exponential, type PresetScenario, presetsOf, stage } from './preset.ts'

/** Bookings of twelve accounts of different sizes. One account allows one booking at a time. */
const accounts: PresetScenario = {
  seed: 4,
  stages: [stage('A', 'Read', exponential(4000)), { ...stage('B', 'Book', exponential(12_000)), resource: 'group' }, stage('C', 'Confirm', exponential(4000))],
  source: { kind: 'groups', groups: [36, 32, 28, 26, 22, 20, 18, 16, 14, 12, 10, 6], order: 'asProduced', feeders: 8, window: 100 },
  workers: 6,
}
const spreadAccounts = { ...accounts.source, order: 'spread' } as Source

/** Jobs of one group exclude each other: one source in several orders, and what it costs to change group. */
export const contentionPresets = presetsOf({
  'jobs-contend': {
    title: 'Jobs that contend',
    about: 'Bookings come account by account, and one account takes one at a time: for most of the run five of six workers stand in line for it.',
    ...accounts,
  },
  'jobs-spread': {
    title: 'The same jobs, spread',
    about: 'The bookings of Jobs that contend in another order: eight feeders hand out an account each in turn, and all is done in less than half the time.',
    ...accounts,
    source: spreadAccounts,
  },
  'skip-the-taken': {
    title: 'Skip what is taken',
    about: 'Jobs that contend, as produced, but a worker who meets a taken account takes the next job whose account is free, and nobody stands in line.',
    ...accounts,
    stages: accounts.stages.map((each) => ({ ...each, whenTaken: 'skip' })),
  },
  'cache-locality': {
    title: 'Cache locality',
    about: 'Accounts are booked side by side, but a worker who changes account loses 6 ms: spread, nearly every job pays; as produced, hardly any does.',
    ...accounts,
    source: spreadAccounts,
    stages: accounts.stages.map((each) => ({ ...each, resource: null })),
    groupSwitchCost: 6000,
  },
})
