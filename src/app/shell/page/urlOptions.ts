import type { ComponentType } from 'react'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { readable } from '../../base/browser/files.ts'
import { hide, readHide } from '../../base/page/hide.ts'
import { openerOf } from '../../session/features/features.tsx'
import { showError } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { takeFile } from '../../share/files/input.ts'

export interface UrlOptions {
  /** A page to show instead of the whole one. */
  readonly Page?: ComponentType<{ readonly problems: readonly Problem[] }>
  readonly problems: readonly Problem[]
}

/** Reads the options in the address: `?embed`, `?present`, `?beat`, `?hide=policy,workers`, `?file=run.json`. Ignores anything else. */
export async function readUrlOptions(session: Session, search: string): Promise<UrlOptions> {
  const parameters = new URLSearchParams(search)
  const { names, problems } = readHide(parameters.getAll('hide').join())
  for (const { path, message } of problems) console.warn(`${path}: ${message}`)
  hide('address', names)
  if (parameters.has('present')) openerOf(session, 'presentation')?.(session)
  if (parameters.has('beat')) openerOf(session, 'beat')?.(session, null)
  if (!parameters.has('embed')) {
    const name = parameters.get('file')
    // After a reload the address has the scenario, with what was changed in it.
    if (name !== null && session.address.read().hash === '') void openServed(session, name)
    return { problems }
  }
  const { EmbedPage, hiddenInFrame } = await import('../embed/EmbedPage.tsx')
  hide('embed', hiddenInFrame)
  return { Page: EmbedPage, problems }
}

/** Opens the file that the command which serves this page was given. Nowhere else is there a file at that address. */
async function openServed(session: Session, name: string): Promise<void> {
  const response = await fetch(`opened/${encodeURIComponent(name)}`)
  // Some hosts answer with the page itself where there is nothing.
  if (response.ok && response.headers.get('Content-Type') === 'application/octet-stream')
    await takeFile(session, new File([await response.blob()], name))
  else showError(session, t('Open {name} with More.', { name: readable(name) }))
}
