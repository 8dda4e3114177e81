import { readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'
import { storageKeys } from '../../../app/base/browser/preferences.ts'
import { linkTo } from '../../../app/session/address.ts'
import { openPanel } from '../../../app/session/run/panelStore.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { addressToJoin, hostLink, joinLink, readHostLink } from '../protocol/links.ts'
import { openRoom } from './roomStore.ts'

/**
 * Opens the room of the page's address as its host, or the one that this tab has had before a reload. The host's token leaves the address
 * bar, so that a shared address does not give it away. Returns what is wrong with the link.
 */
export function openHostRoom(session: Session): readonly Problem[] {
  const url = session.address.read()
  const page = linkTo(session.address, '')
  const asked = readHostLink(url.href)
  if (asked.found === 'room') {
    writeStored(storageKeys.room, hostLink(page, asked.address), 'sessionStorage')
    openPanel(session, 'room')
  }
  if (asked.found !== 'nothing') {
    url.hash = asked.found === 'room' ? asked.rest : ''
    session.address.write(url.href, 'replace')
  }
  const kept = readHostLink(readStored(storageKeys.room, 'sessionStorage') ?? page)
  if (kept.found === 'room') openRoom(session, kept.address)
  return asked.found === 'problem' ? [{ path: 'link', message: asked.problem }] : []
}

/** Returns the link for devices; null if the host's link did not have their token. */
export function linkForDevices(session: Session): string | null {
  const { room } = runStore(session).getState()
  const address = room === null ? null : addressToJoin(room.address)
  return address === null ? null : joinLink(linkTo(session.address, ''), address)
}

/** Returns why devices will not reach the page by its link; null if they can. */
export function unreachable(session: Session): string | null {
  const { hostname } = session.address.read()
  const here = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  return here ? t('Only this machine can open this link. For other devices open the host link with this machine’s address in the network.') : null
}
