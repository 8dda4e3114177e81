import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RoomAddress } from '../../../src/runs/remote/remoteEngine.ts'
import type { Child, ProcessGroup } from './child.ts'

/** A broker in a separate process. */
export interface BrokerHere {
  readonly name: string
  readonly address: RoomAddress
  readonly joinAddress: RoomAddress
  readonly pid: () => number
  /** Kills it and restarts it after this time. Resolves when it is available again. */
  restart(milliseconds: number): Promise<void>
  end(): void
}

type Start = (port: number, folder: string) => Promise<Child>

const room = { room: 'Bench', host: 'hostTokenOfThisBench', join: 'joinTokenOfThisBench' }

/** Opens the room of `npm run room`, with the broker that it brings. */
export function openOwn(family: ProcessGroup, root: string): Promise<BrokerHere> {
  return open('the room’s own', (port, folder) => {
    mkdirSync(join(folder, 'page'), { recursive: true })
    writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>Page</title>')
    writeFileSync(join(folder, 'page/_headers'), '')
    const tokens = ['--room', room.room, '--host-token', room.host, '--join-token', room.join]
    const words = [
      join(root, 'scripts/room.mjs'),
      '--port',
      `${port}`,
      '--host',
      'localhost',
      '--page',
      join(folder, 'page'),
      '--json',
      ...tokens,
    ]
    return family.command(process.execPath, words, '"join"')
  })
}

/** Starts a nats-server with MQTT; null if it is not installed. */
export function openNats(family: ProcessGroup): Promise<BrokerHere> | null {
  if (spawnSync('nats-server', ['--version']).status !== 0) return null
  return open('nats-server', (port, folder) => {
    const file = join(folder, 'nats.conf')
    writeFileSync(
      file,
      `server_name: bench\nhost: localhost\nport: -1\njetstream { store_dir: ${JSON.stringify(join(folder, 'store'))} }\nmqtt { port: -1 }\nwebsocket { host: localhost, port: ${port}, no_tls: true }\n`,
    )
    return family.command('nats-server', ['-c', file], 'Server is ready')
  })
}

async function open(name: string, start: Start): Promise<BrokerHere> {
  const folder = mkdtempSync(join(tmpdir(), 'apportion-bench-'))
  const port = await freePort()
  let child = await start(port, folder)
  const common = { broker: `ws://localhost:${port}/mqtt`, room: room.room }
  return {
    name,
    address: { ...common, role: 'host', token: room.host },
    joinAddress: { ...common, role: 'join', token: room.join },
    pid: () => child.pid,
    async restart(milliseconds) {
      child.kill('SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
      child = await start(port, folder)
    },
    end() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
