import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import process from 'node:process'
import { generate } from 'lean-qr'
import { builtPage } from '../../headless/builtPage.ts'
import { print, Refused, readWords, usageShown, wrongWords } from '../../headless/command.ts'
import type { TerminalCommand } from '../../runs/remote/studies.ts'
import { quoted, quotedPath } from '../../scenario/model/words.ts'
import { newRoomName, newToken } from './brokerServer/rights.ts'
import { openRoomServer, type RoomPlan } from './brokerServer/roomServer.ts'
import { brokerProblem, ownBroker, roomLink, roomNameProblem, tokenProblem } from './protocol/links.ts'

const usage = `usage: {room} [options]

  --port n           the port that it listens on (4180; 0: any that is free)
  --host name        the name or address of this machine in the links; "localhost": for this machine alone. Several: the links have the first,
                     and the page is served under each, beside "localhost" and the addresses of this machine
  --broker wss://... the address of another MQTT broker, instead of one of its own
  --room name        the name of the room, instead of a random one
  --host-token text  what the host's link carries, instead of a random one: a secret of at least 16 letters and digits
  --join-token text  what the link of the devices carries, likewise
  --page folder      a built page, instead of this one
  --json             print one line of JSON: the links
  --help             print this`

const options = ['--port', '--host', '--broker', '--room', '--host-token', '--join-token', '--page', '--json']

/** Reads the words of the command. `name` is the name of this machine for other devices. */
export function readPlan(
  words: readonly string[],
  script: URL,
): { readonly plan: RoomPlan; readonly name: string; readonly json: boolean } {
  const { subjects, values, lists } = readWords(words, options, usage)
  if (subjects.length > 0) throw wrongWords('', `unknown word ${quoted(subjects[0])}`, usage)
  const checked = (option: string, problemOf: (value: string) => string | null, start: () => string): string => {
    const value = values.get(option)
    const problem = value === undefined ? null : problemOf(value)
    if (problem !== null) throw new Refused([{ path: option, message: problem }])
    return value ?? start()
  }
  const port = checked('--port', portProblem, () => '4180')
  const name = checked('--host', nameProblem, () => lanAddress(networkInterfaces()))
  const names = lists.get('--host') ?? [name]
  const problem = names.map(nameProblem).find((found) => found !== null)
  if (problem !== undefined) throw new Refused([{ path: '--host', message: problem }])
  const broker = checked('--broker', brokerProblem, () => '')
  const plan: RoomPlan = {
    folder: values.get('--page') ?? builtPage(script, 'room'),
    port: Number(port),
    listenOn: /^(localhost|127\.0\.0\.1)$/.test(name) && names.length === 1 ? name : undefined,
    names,
    broker: broker === '' ? null : broker,
    room: checked('--room', roomNameProblem, newRoomName),
    host: checked('--host-token', tokenProblem, newToken),
    join: checked('--join-token', tokenProblem, newToken),
  }
  if (plan.host === plan.join)
    throw new Refused([
      { path: '--join-token', message: 'is the token of the host. Choose another one, or every device is a host.' },
    ])
  return { plan, name, json: values.has('--json') }
}

function portProblem(port: string): string | null {
  return /^\d{1,5}$/.test(port) && Number(port) < 65_536
    ? null
    : `found ${quoted(port)}; allowed: a whole number from 0 to 65535`
}

function nameProblem(name: string): string | null {
  return /^[A-Za-z0-9.-]{1,253}$/.test(name) && URL.canParse(`http://${name}/`)
    ? null
    : `found ${quoted(name)}; allowed: the name or IPv4 address of this machine`
}

async function opened(plan: RoomPlan) {
  try {
    return await openRoomServer(plan)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Refused([
        { path: '--port', message: `port ${plan.port} is taken. Choose another one, or 0 for any that is free.` },
      ])
    if (code === 'EACCES')
      throw new Refused([
        { path: '--port', message: `port ${plan.port} is not allowed to you. Choose one from 1024 on.` },
      ])
    if (code === 'ENOENT')
      throw new Refused([
        { path: '--page', message: `${quotedPath(plan.folder)} holds no built page. Run npm run build first.` },
      ])
    throw new Refused([{ path: '', message: `The room cannot be opened: ${message}` }])
  }
}

async function openRoom(words: readonly string[], script: URL): Promise<void> {
  if (words.includes('--help')) return print(usageShown(usage))
  const { plan, name, json } = readPlan(words, script)
  const server = await opened(plan)
  const page = `http://${name}:${server.port}/`
  const broker = plan.broker ?? ownBroker(page)
  const { room } = plan
  const join = roomLink(page, { broker, room, role: 'join', token: plan.join })
  const host = roomLink(page, { broker, room, role: 'host', token: plan.host, joinToken: plan.join })
  if (json) print(JSON.stringify({ page, join, host }))
  else {
    print(`\n${terminalCode(join, process.stdout.isTTY)}\n`)
    print(`Devices join here:   ${join}\nOpen this yourself:  ${host}\n`)
    print('Keep the second link to yourself: anyone who has it conducts the room. Ctrl-C closes the room.')
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => server.close().finally(() => process.exit(0)))
}

export const roomCommand: TerminalCommand = { run: openRoom }

/** Interfaces of virtual machines, containers and private networks, which phones cannot reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|tailscale|zt|cni|flannel|lxc|lxd|vEthernet)/i
const PRIVATE = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/

/** Returns the address at which other devices most likely reach this machine; "localhost" without a network. */
export function lanAddress(interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): string {
  const candidates = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, rank: rankOf(name, address) })),
  )
  return candidates.sort((a, b) => a.rank - b.rank)[0]?.address ?? 'localhost'
}

/** Returns a rank: lower is better. */
function rankOf(name: string, address: string): number {
  if (address.startsWith('169.254.')) return 3
  if (VIRTUAL.test(name)) return 2
  return PRIVATE.test(address) ? 0 : 1
}

/** The quiet zone on each side of a code, in dots (ISO/IEC 18004), less a border that most terminals have anyway. */
const MARGIN = 2

/** Returns a link as a QR code for a terminal, two dots per character. `coloured`: black on white, whatever the terminal's colours. */
export function terminalCode(link: string, coloured: boolean): string {
  const code = generate(link)
  const isDark = (x: number, y: number) => code.get(x, y)
  const lines: string[] = []
  for (let y = -MARGIN; y < code.size + MARGIN; y += 2) {
    let line = ''
    for (let x = -MARGIN; x < code.size + MARGIN; x++) line += dots(isDark(x, y), isDark(x, y + 1), coloured)
    lines.push(coloured ? `\x1b[30;107m${line}\x1b[0m` : line)
  }
  return lines.join('\n')
}

/** Without colours the terminal is assumed to write light on dark, so light dots are drawn. */
function dots(above: boolean, below: boolean, coloured: boolean): string {
  const [upper, lower] = coloured ? [above, below] : [!above, !below]
  return upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '
}
