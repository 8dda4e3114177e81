import type { NetworkInterfaceInfo } from 'node:os'

/** Interfaces that lead to virtual machines, containers and private networks, where no phone is. */
const VIRTUAL = /^(docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap|wg|tailscale|zt|cni|flannel|lxc|lxd|vEthernet)/i
const PRIVATE = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/

/** Returns the address under which other devices most likely reach this machine; "localhost" if it is in no network. */
export function lanAddress(interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>): string {
  const candidates = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => ({ address, rank: rankOf(name, address) })),
  )
  return candidates.sort((a, b) => a.rank - b.rank)[0]?.address ?? 'localhost'
}

/** The lower the better. */
function rankOf(name: string, address: string): number {
  if (address.startsWith('169.254.')) return 3
  if (VIRTUAL.test(name)) return 2
  return PRIVATE.test(address) ? 0 : 1
}
