import { t } from '../../../language/translate.ts'

/** Returns what people call a device. Names come from strangers: they are shown as they are, and as text only. */
export function deviceName({ name, number }: { readonly name: string; readonly number: number }): string {
  return name === '' ? t('Device {number}', { number }) : name
}

/** Returns the name, or with the least number from 2 on behind it if somebody else is called that. No name stays none. */
export function distinctName(name: string, others: readonly { readonly name: string }[]): string {
  if (name === '') return name
  const taken = new Set(others.map((other) => other.name))
  let distinct = name
  for (let n = 2; taken.has(distinct); n++) distinct = `${name} ${n}`
  return distinct
}

/** Returns what people call the device with this id, also if it has left meanwhile. */
export function nameOfDevice(devices: readonly { readonly id: string; readonly name: string; readonly number: number }[], id: string): string {
  const device = devices.find((each) => each.id === id)
  return device === undefined ? t('somebody who has left') : deviceName(device)
}

/** Returns how many are there. */
export function presentWords(devices: readonly { readonly threads: number }[]): string {
  const threads = devices.reduce((sum, device) => sum + device.threads, 0)
  return t('{threads, plural, one {# worker} other {# workers}} on {devices, plural, one {# device} other {# devices}}', {
    threads,
    devices: devices.length,
  })
}

/** Returns how the connection is, where that matters; null if all is well. */
export function linkWords(link: 'opening' | 'up' | 'down', problem: string | null): string | null {
  if (link === 'up') return null
  if (link === 'opening') return t('Looking for the room’s broker.')
  return problem === null ? t('The room’s broker does not answer; trying again.') : t('{problem} Trying again.', { problem })
}

/** What a device may lack, by the names of the platform, and what follows from that. */
export function lackWords(lack: string): string {
  if (lack === 'crypto.subtle') return t('hashes in plain JavaScript, more slowly')
  if (lack === 'navigator.locks') return t('a thread that ends is noticed later')
  if (lack === 'SharedArrayBuffer') return t('its clock is less exact')
  return lack
}

/** Returns why no run can begin while nobody is there. */
export function nobodyWords(): string {
  return t('Nobody is in the room yet. Let a phone scan the code in the tab Room.')
}
