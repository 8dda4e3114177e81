import type { NetworkInterfaceInfo } from 'node:os'
import { generate } from 'lean-qr'

/** Interfaces of virtual machines, containers and private networks, which phones cannot reach. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|tailscale|zt|cni|flannel|lxc|lxd|vEthernet)/i
const PRIVATE = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/

/** Returns the address at which other devices most likely reach this machine; "localhost" without a network. */
export function lanAddress(interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): string {
  const candidates = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => ({ address, rank: rankOf(name, address) })),
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
