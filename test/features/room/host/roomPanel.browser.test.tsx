import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { noAddress } from '../../../../src/app/session/address.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { type RoomDevice, roomStore } from '../../../../src/features/room/host/hostRoom.ts'
import { roundStore } from '../../../../src/features/room/host/hostRounds.ts'
import { RoomPanel } from '../../../../src/features/room/host/RoomPanel.tsx'
import type { RoomAddress } from '../../../../src/runs/remote/remoteEngine.ts'
import { setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { removeShown, shownHere, textsOf } from '../../../fixtures/shownHere.tsx'

afterEach(removeShown)

const address: RoomAddress = {
  broker: 'ws://h:1/mqtt',
  room: 'R',
  role: 'host',
  token: 'abcdefghijklmnop',
  joinToken: 'ponmlkjihgfedcba',
}

const device = (number: number, more: Partial<RoomDevice> = {}): RoomDevice => {
  const name = `Phone ${number}`
  return {
    life: 'l',
    connection: 1,
    name,
    ownName: name,
    id: `d${number}`,
    number,
    build: 'b',
    threads: 2,
    lacks: [],
    roundTrip: 12_000,
    ...more,
  }
}

interface Shown {
  readonly devices?: readonly RoomDevice[]
  readonly refused?: number
  readonly link?: 'opening' | 'up' | 'down'
  readonly problem?: string | null
  readonly seats?: number
  readonly host?: Partial<RoomAddress>
  readonly at?: string
}

/** The panel of a host whose room is in this state. */
function panelOf({
  devices = [],
  refused = 0,
  link = 'up',
  problem = null,
  seats = 0,
  host = {},
  at = 'http://192.0.2.7:4000/',
}: Shown = {}) {
  const session = createSession({ ...noAddress, read: () => new URL(at) })
  roomStore(session).setState({ link, problem, devices, refused })
  runStore(session).setState({ room: { address: { ...address, ...host }, seats, answers: 0, refusal: () => null } })
  return { session, host: shownHere(<RoomPanel />, session) }
}

const workersOf = (session: Session) => scenarioStore(session).getState().draft.workers

describe('the room, as its host sees it', () => {
  test('without devices says how they join; with some it counts them', () => {
    const { host } = panelOf()
    expect([
      textsOf(host, 'header [role=status]'),
      textsOf(host, '[role=alert], .room-all, table, .class-part'),
    ]).toEqual([[''], []])
    expect(host.textContent).toContain('Nobody is here yet. Scan the code with a phone')
    const { host: full } = panelOf({ devices: [device(1), device(2, { threads: 1 })] })
    expect(textsOf(full, 'header [role=status]')).toEqual(['3 workers on 2 devices'])
    expect(full.textContent).not.toContain('Nobody is here yet')
  })

  test('says what is wrong with the connection, instead of how devices join', () => {
    for (const [link, problem, words] of [
      ['opening', null, 'Looking for the room’s broker.'],
      ['down', null, 'The room’s broker does not answer; trying again.'],
      ['down', 'No such host.', 'No such host. Trying again.'],
    ] as const) {
      const { host } = panelOf({ link, problem })
      expect(textsOf(host, '[role=alert]')).toEqual([words])
      expect(host.textContent).not.toContain('Nobody is here yet')
      removeShown()
    }
  })

  test('says how many could not join, and how many devices do each picture', () => {
    const { host } = panelOf({ refused: 1, host: { verify: 3 } })
    expect(textsOf(host, '[role=alert]')).toEqual(['The room is full: 1 more device could not join.'])
    expect(host.textContent).toContain('is computed on 3 devices')
    removeShown()
    expect(textsOf(panelOf({ refused: 7 }).host, '[role=alert]')).toEqual([
      'The room is full: 7 more devices could not join.',
    ])
    removeShown()
    for (const verify of [1, undefined]) {
      expect(panelOf(verify === undefined ? {} : { host: { verify } }).host.textContent).not.toContain('is computed on')
      removeShown()
    }
  })

  test('gives the link for devices, without the token of the host; without their token it says so', () => {
    const { host } = panelOf()
    const link = host.querySelector<HTMLInputElement>('input[readonly]')?.value ?? host.textContent ?? ''
    expect(link).toContain('http://192.0.2.7:4000/join.html#room=R.ponmlkjihgfedcba')
    expect([host.querySelectorAll('.qr-code').length, host.innerHTML.includes(address.token)]).toEqual([1, false])
    expect(host.textContent).not.toContain('Only this machine')
    removeShown()
    const { joinToken: _, ...alone } = address
    const session = createSession({ ...noAddress, read: () => new URL('http://192.0.2.7/') })
    roomStore(session).setState({ link: 'up' })
    runStore(session).setState({ room: { address: alone, seats: 0, answers: 0, refusal: () => null } })
    const without = shownHere(<RoomPanel />, session)
    expect([without.querySelectorAll('.qr-code').length, without.textContent]).toEqual([
      0,
      expect.stringContaining('The host link has no token for devices.'),
    ])
  })

  test.each(['http://localhost:4000/', 'http://127.0.0.1/', 'http://[::1]:4000/'])(
    'at %s says that only this machine can open the link',
    (at) => {
      expect(panelOf({ at }).host.textContent).toContain('Only this machine can open this link.')
    },
  )

  test('uses all seats by one press, as many as a run may have; then it says that the next run does', async () => {
    const { session, host } = panelOf({ devices: [device(1)], seats: 5 })
    await page.getByRole('button', { name: 'Use all 5 workers' }).click()
    expect([workersOf(session), runStore(session).getState().engine]).toEqual([5, 'room'])
    await expect.poll(() => host.textContent).toContain('The next run uses all of them.')
    expect(textsOf(host, '.room-all')).toEqual([])
    // Another number of workers, or another engine, does not use them.
    editOrShowProblems(session, (now) => setWorkers(now, 4), 'workers')
    await expect.element(page.getByRole('button', { name: 'Use all 5 workers' })).toBeEnabled()
    runStore(session).setState({ phase: 'running' })
    await expect.element(page.getByRole('button', { name: 'Use all 5 workers' })).toBeDisabled()
    editOrShowProblems(session, (now) => setWorkers(now, 5), 'workers')
    runStore(session).setState({ phase: 'idle', engine: 'simulation' })
    await expect.element(page.getByRole('button', { name: 'Use all 5 workers' })).toBeEnabled()
    removeShown()
    panelOf({ devices: [device(1)], seats: 1 })
    await expect.element(page.getByRole('button', { name: 'Use the 1 worker' })).toBeVisible()
    removeShown()
    panelOf({ devices: [device(1)], seats: 70_000 })
    await expect.element(page.getByRole('button', { name: 'Use all 256 workers' })).toBeVisible()
  })

  test('lists the devices by their own names, with their threads and their round trip', () => {
    const devices = [
      device(1),
      device(2, { name: '', ownName: '', threads: 1, roundTrip: null }),
      device(3, { name: '<i>x</i>' }),
    ]
    const { host } = panelOf({ devices })
    expect([...host.querySelectorAll('tbody tr')].map((row) => textsOf(row as HTMLElement, 'td'))).toEqual([
      ['Phone 1', '2', '12 ms', ''],
      ['Device 2', '1', '–', ''],
      ['<i>x</i>', '2', '12 ms', ''],
    ])
    expect([textsOf(host, '.room-devices ol'), [...host.querySelectorAll('td[dir=auto]')].length]).toEqual([[], 3])
  })

  test('explains what browsers lack once, by a number; a device of another build than the latest page is told to reload', () => {
    const devices = [
      device(1, { lacks: ['crypto.subtle'], build: 'old' }),
      device(2, { lacks: ['navigator.locks', 'crypto.subtle'] }),
      device(3, { build: 'node' }),
    ]
    const { host } = panelOf({ devices })
    expect(textsOf(host, 'td:last-child')).toEqual(['1, 2', '3, 1', ''])
    expect(textsOf(host, '.room-devices li')).toEqual([
      'crypto.subtle: hashes in plain JavaScript, more slowly',
      'version: runs another version of this page; reload it there',
      'navigator.locks: a thread that ends is noticed later',
    ])
  })

  test('lists a hundred devices and counts the others', () => {
    const many = (count: number) => Array.from({ length: count }, (_, k) => device(k + 1))
    const { host } = panelOf({ devices: many(103) })
    expect([host.querySelectorAll('tbody tr').length, textsOf(host, '.room-devices > p')]).toEqual([
      100,
      ['and 3 more'],
    ])
    removeShown()
    const { host: full } = panelOf({ devices: many(100) })
    expect([full.querySelectorAll('tbody tr').length, textsOf(full, '.room-devices > p')]).toEqual([100, []])
  })

  test('shows the class below the code, and above it during a round', async () => {
    const { session, host } = panelOf({ devices: [device(1)] })
    const code = () => host.querySelector('.qr-code') as Element
    const isAbove = (part: Element | null) =>
      part !== null && (part.compareDocumentPosition(code()) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    expect(isAbove(host.querySelector('.class-part'))).toBe(false)
    roundStore(session).setState({
      round: { kind: 'question', round: 'r', open: true, question: { kind: 'makespan' }, right: null },
    })
    await expect.poll(() => isAbove(host.querySelector('.class-part'))).toBe(true)
    expect(host.querySelectorAll('.class-part')).toHaveLength(1)
  })
})
