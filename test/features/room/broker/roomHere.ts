import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRoomServer } from '../../../../src/features/room/brokerServer/roomServer.ts'
import { repository } from '../../../architecture/sources.ts'

export const hostToken = 'hostTokenOfThisTest'
export const joinToken = 'joinTokenOfThisTest'

/** A room of a test, with a small page of its own. */
export interface RoomHere {
  /** `http://localhost:PORT/` */
  readonly page: string
  /** `ws://localhost:PORT/mqtt` */
  readonly broker: string
  /** Ends its process, as far as others can tell, and opens it again at the same port after this many milliseconds. */
  restart(milliseconds: number): Promise<void>
  /** Ends it and removes its page. */
  end(): Promise<void>
}

export async function roomHere(
  broker: string | null = null,
  more: { readonly maxDevices?: number; readonly names?: readonly string[] } = {},
): Promise<RoomHere> {
  const folder = mkdtempSync(join(tmpdir(), 'apportion-room-'))
  mkdirSync(join(folder, 'page/assets'), { recursive: true })
  writeFileSync(join(folder, 'secret.txt'), 'not of the page')
  writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>Page</title>')
  writeFileSync(join(folder, 'page/assets/conductor-1.js'), 'export {}')
  writeFileSync(join(folder, 'page/_headers'), readFileSync(`${repository}public/_headers`))
  const plan = {
    folder: join(folder, 'page'),
    port: 0,
    listenOn: 'localhost',
    names: [],
    broker,
    room: 'R',
    host: hostToken,
    join: joinToken,
    ...more,
  }
  let server = await openRoomServer(plan)
  const { port } = server
  const restart = async (milliseconds: number) => {
    await server.close()
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    server = await openRoomServer({ ...plan, port })
  }
  const end = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { page: `http://localhost:${port}/`, broker: `ws://localhost:${port}/mqtt`, restart, end }
}
