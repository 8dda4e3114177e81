import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A room that a test has opened by its command. */
export interface OpenRoom {
  /** The links for devices and for the host. */
  readonly join: string
  readonly host: string
  close(): Promise<void>
}

/** Opens a room that serves the built page, as `npm run room` does. `names`: by which it is known besides localhost. */
export async function openRoom(...names: readonly string[]): Promise<OpenRoom> {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const page = `${root}node_modules/.cache/apportion/site`
  const room = spawn(
    process.execPath,
    [
      'scripts/room.mjs',
      '--port',
      '0',
      '--host',
      'localhost',
      ...names.flatMap((name) => ['--host', name]),
      '--json',
      '--page',
      page,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const gone = new Promise<void>((resolve) => room.once('exit', () => resolve()))
  const printed = await Promise.race([
    new Promise<string>((resolve) => room.stdout.once('data', (bytes) => resolve(`${bytes}`))),
    gone,
  ])
  if (printed === undefined) throw new Error('The room did not open.')
  const { join, host } = JSON.parse(printed) as { join: string; host: string }
  return {
    join,
    host,
    async close() {
      room.kill('SIGTERM')
      await gone
    },
  }
}
