import { type ReactNode, useMemo } from 'react'
import { type FormTarget, FormTargetContext } from '../../base/forms/formTarget.ts'
import type { Session } from '../session.ts'
import { SessionContext } from '../useSession.ts'
import { edit, showProblems } from './scenarioStore.ts'

/** Draws the page of a session: below it `useSession` finds the session, and fields change its scenario. */
export function SessionProvider({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const target = useMemo<FormTarget>(
    () => ({
      edit: (change, merge) => edit(session, change, merge),
      refuse: (problems) => showProblems(session, problems),
    }),
    [session],
  )
  return (
    <SessionContext value={session}>
      <FormTargetContext value={target}>{children}</FormTargetContext>
    </SessionContext>
  )
}
