import { useMemo } from 'react'
import { Button } from '../../../../app/base/controls/Button.tsx'
import { CopyField } from '../../../../app/base/ui/CopyField.tsx'
import { linkTo } from '../../../../app/session/address.ts'
import { openScenario } from '../../../../app/session/run/runStore.ts'
import { useSession } from '../../../../app/session/useSession.ts'
import { t } from '../../../../language/translate.ts'
import { toShortFragment } from '../../../../scenario/link/codec.ts'
import { MAX_SHORT } from '../../../../scenario/model/limits.ts'
import type { Scenario } from '../../../../scenario/model/scenario.ts'

/** A scenario to take away: onto the canvas, where undo brings back what was there, or as a link. */
export function ScenarioOut({ scenario, opened }: { readonly scenario: Scenario; opened(): void }) {
  const session = useSession()
  const fragment = useMemo(() => toShortFragment(scenario), [scenario])
  const open = () => {
    openScenario(session, scenario)
    opened()
  }
  return (
    <div className="fit-row">
      <Button onClick={open} text={t('Open on the canvas')} />
      {fragment.length <= MAX_SHORT ? (
        <CopyField label={t('Link')} what={t('the link')} text={linkTo(session.address, fragment)} />
      ) : (
        <span className="soft">{t('The scenario is too long for a link. Open it on the canvas, and download it there.')}</span>
      )}
    </div>
  )
}
