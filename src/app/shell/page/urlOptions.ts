import type { ComponentType } from 'react'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { hide, readHide } from '../../base/page/hide.ts'
import { openerOf } from '../../session/features/features.tsx'
import type { Session } from '../../session/session.ts'

export interface UrlOptions {
  /** A page to show instead of the whole one. */
  readonly Page?: ComponentType<{ readonly problems: readonly Problem[] }>
  readonly problems: readonly Problem[]
}

/** Reads the options in the address: `?embed`, `?present`, `?beat`, `?hide=policy,workers`. Ignores anything else. */
export async function readUrlOptions(session: Session, search: string): Promise<UrlOptions> {
  const asked = new URLSearchParams(search)
  const { names, problems } = readHide(asked.getAll('hide').join())
  for (const { path, message } of problems) console.warn(`${path}: ${message}`)
  hide('address', names)
  if (asked.has('present')) openerOf(session, 'presentation')?.(session)
  if (asked.has('beat')) openerOf(session, 'beat')?.(session, null)
  if (!asked.has('embed')) return { problems }
  const { EmbedPage, taken } = await import('../embed/EmbedPage.tsx')
  hide('embed', taken)
  return { Page: EmbedPage, problems }
}
