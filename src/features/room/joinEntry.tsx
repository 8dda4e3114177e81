import '../../app/base/page/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { chosenTheme } from '../../app/base/browser/chosenTheme.ts'
import { beginLanguage } from '../../app/base/page/language.ts'
import { followTheme, setTheme } from '../../app/base/page/theme.ts'
import { trustOwnScripts } from '../../engine/threads/liveness.ts'
import { pageEnvironment, startWorkerThread } from '../../engine/threads/pageEnvironment.ts'
import { t } from '../../language/translate.ts'
import { openCarrier } from './brokerClient/openCarrier.ts'
import { JoinPage } from './join/JoinPage.tsx'
import { createAnswering, createJoin, type Lend } from './join/joining.ts'
import { newDeviceId, storedName, threadChoice } from './join/ownDevice.ts'
import { lend } from './protocol/lender.ts'
import { readRoomLink } from './protocol/links.ts'

async function beginJoining() {
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
  const link = readRoomLink(location.href, 'join')
  if (link.found === 'room') return link.address
  return new Error(
    link.found === 'problem'
      ? link.problem
      : t('Scan the code on the host’s screen, or copy the whole link and try again.'),
  )
}

const lendThreads: Lend = (carrier, device, changed) =>
  lend(
    carrier,
    { ...device, build: buildOfPage(), lacks: lacking(), start: startWorkerThread(), every: pageEnvironment().every },
    changed,
  )

/** Returns the name of the script of this page, which changes with each build. */
const buildOfPage = (): string => new URL(import.meta.url).pathname.split('/').pop() ?? ''

/** Returns which features of the platform this browser lacks. A page on plain http lacks them all. */
function lacking(): string[] {
  const there = {
    'crypto.subtle': globalThis.crypto?.subtle,
    'navigator.locks': navigator.locks,
    SharedArrayBuffer: globalThis.SharedArrayBuffer,
  }
  return Object.entries(there).flatMap(([name, value]) => (value === undefined ? [name] : []))
}

const root = document.getElementById('root')
if (root === null) throw new Error('join.html has no #root')
void beginJoining().then((page) => createRoot(root).render(page))
