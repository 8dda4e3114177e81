import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import type { TerminalCommand } from '../runs/remote/studies.ts'
import { quoted } from '../scenario/model/words.ts'
import { MAX_TRACE_FILE } from '../trace/trace.ts'
import { builtPage } from './builtPage.ts'
import { print, Refused, readWords, wrongWords } from './command.ts'
import { refuse, serveFiles } from './serveFiles.ts'
import { fragmentAt, inputOf, readInput } from './subject.ts'

const usage = `usage: apportion [FILE] [--port n]
       apportion headless | find | fit | import | check | room | lend ...

Serves the page on this machine and opens it, with FILE in it. Prints the address. Ctrl-C ends it.
The page is the package apportion-page, of the same version.

  FILE         a scenario, a trace or a log; - is the standard input, https://... is fetched, and a link (#json=..., #s=...) is opened
  --port n     the port that it listens on (4179 if that is free, else any that is)
  --help       print this; behind the name of a command, what that takes
  --version    print the version

  headless     plays a scenario in the simulation and prints its figures
  find         searches for the scenario in which a policy fails
  fit          makes a scenario that reproduces the log of a real system
  import       makes a run of the spans of a real system
  check        checks a trace, row by row
  room         opens a room, whose devices are the workers of a run
  lend         lends threads of this machine to a room`

/** Where the library of the browser is found again; each port has one of its own. */
const PORT = 4179
/** Only this machine is answered. */
const HOST = '127.0.0.1'

interface Opened {
  readonly name: string
  readonly bytes: Uint8Array
}

async function open(words: readonly string[], script: URL): Promise<void> {
  if (words.includes('--help')) return print(usage)
  const { subjects, values } = readWords(words, ['--port'], usage)
  if (subjects.length > 1)
    throw wrongWords('', `one file at a time, not ${subjects.length}: ${subjects.join(' ')}`, usage)
  const [word] = subjects
  const asked = values.get('--port')
  if (asked !== undefined && !(/^\d{1,5}$/.test(asked) && Number(asked) < 65_536))
    throw new Refused('--port', `found ${quoted(asked)}; allowed: a whole number from 0 to 65535`)
  const folder = builtPage(script, 'FILE')
  const mark = word === undefined ? -1 : fragmentAt(word)
  const opened = word === undefined || mark >= 0 ? null : await readOpened(word)
  const server = createServer(answers(folder, opened))
  const port = await listening(server, asked)
  const query = opened === null ? '' : `?file=${encodeURIComponent(opened.name)}`
  const address = `http://${HOST}:${port}/${query}${mark < 0 || word === undefined ? '' : word.slice(mark)}`
  print(`Apportion: ${address}\nCtrl-C ends it.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  showIn(address)
}

export const openCommand: TerminalCommand = { run: open }

async function readOpened(word: string): Promise<Opened> {
  const input = await inputOf(word)
  return { name: input.name, bytes: await readInput(input, MAX_TRACE_FILE) }
}

/** Answers with the page, and with the file that is opened, which no page of another origin may read. */
function answers(folder: string, opened: Opened | null): Parameters<typeof createServer>[1] {
  const serve = serveFiles(folder, null)
  return (request, response) => {
    const { host = '' } = request.headers
    // Another site's name may lead here, and its page would read the file as its own.
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host))
      return refuse(response, 403, 'This page is for this machine alone.')
    if (opened === null || request.url !== `/opened/${encodeURIComponent(opened.name)}`)
      return void serve(request, response).catch(() => response.destroy())
    response.setHeader('Content-Type', 'application/octet-stream')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('Content-Length', opened.bytes.length)
    response.end(opened.bytes)
  }
}

/** Listens on the port that is asked for, else on the usual one or any that is free. Returns the port. */
async function listening(server: ReturnType<typeof createServer>, asked: string | undefined): Promise<number> {
  const on = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, HOST, () => resolve((server.address() as AddressInfo).port))
    })
  try {
    return await on(Number(asked ?? PORT)).catch((error) => (asked === undefined ? on(0) : Promise.reject(error)))
  } catch (error) {
    throw new Refused('--port', `port ${asked ?? PORT} cannot be used: ${(error as Error).message}`)
  }
}

/** Opens an address in the browser of the system, where there is a display. */
function showIn(address: string): void {
  const { platform, env } = process
  if (env.SSH_CONNECTION !== undefined) return
  if (platform !== 'darwin' && platform !== 'win32' && (env.DISPLAY ?? env.WAYLAND_DISPLAY ?? '') === '') return
  const [command, ...words] =
    platform === 'darwin' ? ['open'] : platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
  // Without such a program the address that was printed has to do.
  spawn(command, [...words, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
