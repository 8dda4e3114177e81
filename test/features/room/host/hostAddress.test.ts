import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Address, noAddress } from '../../../../src/app/session/address.ts'
import { panelStore } from '../../../../src/app/session/page/showing.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { linkForDevices, openHostRoom, unreachable } from '../../../../src/features/room/host/hostRoom.ts'

const sessions: Session[] = []
afterEach(() => {
  vi.unstubAllGlobals()
  for (const session of sessions.splice(0)) session.end()
})

const HOST = 'hostToken-hostToken'
const JOIN = 'joinToken-joinToken'

/** A page at this address, whose tab keeps what is stored in it. */
function pageAt(href: string, stored = new Map<string, string>()) {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  let shown = href
  const written: string[] = []
  const address: Address = {
    ...noAddress,
    read: () => new URL(shown),
    write(to, how) {
      shown = new URL(to, shown).href
      written.push(how)
    },
  }
  const session = createSession(address)
  sessions.push(session)
  // No broker answers.
  const problems = openHostRoom(session, () => new Promise(() => {}))
  return {
    session,
    problems,
    stored,
    written,
    shown: () => shown,
    room: () => runStore(session).getState().room?.address ?? null,
  }
}

describe('the address of the page of a host', () => {
  test('is without the tokens as soon as the room is open, and keeps the scenario that it had', () => {
    const { shown, room, problems, stored } = pageAt(`http://box.example:4321/#host=R.${HOST}.${JOIN}&s=1abc`)
    expect([shown(), problems]).toEqual(['http://box.example:4321/#s=1abc', []])
    expect(room()).toMatchObject({
      room: 'R',
      role: 'host',
      token: HOST,
      joinToken: JOIN,
      broker: 'ws://box.example:4321/mqtt',
    })
    // After a reload the tab still has it.
    const again = pageAt('http://box.example:4321/', stored)
    expect([again.room(), again.problems]).toEqual([room(), []])
  })

  test('is replaced, so that no step back shows the tokens, and the panel of the room opens; a reload changes neither', () => {
    const panel = ({ session }: { session: Session }) => panelStore(session).getState().panel
    const first = pageAt(`http://box.example:4321/#host=R.${HOST}`)
    expect([first.written, panel(first)]).toEqual([['replace'], 'room'])
    const again = pageAt('http://box.example:4321/', first.stored)
    expect([again.written, panel(again) === 'room', again.room()?.room]).toEqual([[], false, 'R'])
    const damaged = pageAt('http://box.example:4321/#host=R.short')
    expect([damaged.written, panel(damaged) === 'room']).toEqual([['replace'], false])
  })

  test('is without its tokens also if the link is damaged, and the problem is told', () => {
    const { shown, room, problems } = pageAt(`http://box.example:4321/#host=R.${HOST}.short`)
    expect([shown().includes(HOST), shown().includes('short'), room(), problems.length, problems[0].path]).toEqual([
      false,
      false,
      null,
      1,
      'link',
    ])
  })

  test('gives a link for devices only with their token, and never that of the host', () => {
    const { session } = pageAt(`http://box.example:4321/#host=R.${HOST}.${JOIN}`)
    expect(linkForDevices(session)).toBe(`http://box.example:4321/join.html#room=R.${JOIN}`)
    expect(linkForDevices(pageAt(`http://box.example:4321/#host=R.${HOST}`).session)).toBeNull()
    expect(linkForDevices(pageAt('http://box.example:4321/').session)).toBeNull()
  })

  test.each([
    ['http://localhost:4321/', true],
    ['http://127.0.0.1:4321/', true],
    ['http://127.9.9.9/', true],
    ['http://[::1]:4321/', true],
    ['http://192.168.0.7:4321/', false],
    ['http://box.example/', false],
    ['http://localhost.example/', false],
  ])('%s can be opened by this machine alone: %s', (href, alone) => {
    expect(unreachable(pageAt(href).session) !== null).toBe(alone)
  })
})
