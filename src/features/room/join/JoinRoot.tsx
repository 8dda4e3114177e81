import '../../../app/base/page/theme.css'
import { StrictMode } from 'react'
import { chosenTheme } from '../../../app/base/browser/preferences.ts'
import { beginLanguage } from '../../../app/base/page/language.ts'
import { followTheme, setTheme } from '../../../app/base/page/theme.ts'
import { trustOwnScripts } from '../../../engine/threads/ownScripts.ts'
import { t } from '../../../language/translate.ts'
import { openCarrier } from '../brokerClient/openCarrier.ts'
import { readJoinLink } from '../protocol/links.ts'
import { createAnswering } from './answering.ts'
import { JoinPage } from './JoinPage.tsx'
import { createJoin } from './joining.ts'
import { lendThreads } from './lendThreads.ts'
import { newDeviceId, storedName, threadChoice } from './ownDevice.ts'

/** Begins what the page of a device needs, joins the room of its address, and returns the page. */
export async function beginJoining() {
  trustOwnScripts()
  followTheme()
  setTheme(chosenTheme())
  await beginLanguage()
  document.title = `${t('Worker')} · Apportion`
  const choice = threadChoice(navigator.hardwareConcurrency || 2, matchMedia('(pointer: coarse)').matches)
  const answering = createAnswering(newDeviceId())
  const own = { name: storedName(), threads: choice.usual }
  const join = createJoin(roomHere(), own, { open: openCarrier, answering, lend: lendThreads, newId: newDeviceId })
  // Another code was scanned in this tab.
  addEventListener('hashchange', () => location.reload())
  join.enter()
  return (
    <StrictMode>
      <JoinPage join={join} answering={answering} most={choice.most} />
    </StrictMode>
  )
}

function roomHere() {
  const link = readJoinLink(location.href)
  if (link.found === 'room') return link.address
  return new Error(link.found === 'problem' ? link.problem : t('Scan the code on the host’s screen, or copy the whole link and try again.'))
}
