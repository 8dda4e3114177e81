import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import type { Opening } from '../../../scenario/link/opening.ts'
import { hides, placeOf, withHidden } from '../../../scenario/model/hidden.ts'
import type { Hidden, Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { Button } from '../../base/controls/Button.tsx'
import { CopyField } from '../../base/ui/CopyField.tsx'
import { secretName, secretTitle } from '../../session/secrets/secretWords.ts'

interface Props {
  readonly whole: Scenario
  /** What stands before the fragment of a link. */
  readonly page: string
  readonly opening: Partial<Opening>
}

/** The scenario as something to guess: a press hides one thing, in the link and not on this page, and copies that link. */
export function MysteryLinks({ whole, page, opening }: Props) {
  const [chosen, setChosen] = useState<Hidden | null>(null)
  const [copied, setCopied] = useState<string | null>(null)
  const link = (secret: Hidden) => page + toShortFragment(withHidden(whole, secret), opening)
  const choose = (secret: Hidden) => {
    setChosen(secret)
    // If the browser forbids it, the field below has a button and says so.
    navigator.clipboard?.writeText(link(secret)).then(
      () => setCopied(link(secret)),
      () => {},
    )
  }
  const all: readonly Hidden[] = [{ kind: 'policy' }, ...whole.stages.map(({ id }): Hidden => ({ kind: 'service', stage: id }))]
  const secrets = all.filter((secret) => !hides(whole, secret))
  return (
    <fieldset className="share-mystery">
      <legend>{t('Hide, and copy the link')}</legend>
      <div className="share-actions">
        {secrets.map((secret) => {
          const hidden = parse(withHidden(whole, secret))
          const refused = 'problems' in hidden ? hidden.problems[0].message : undefined
          return (
            <Button
              key={placeOf(secret)}
              aria-pressed={chosen !== null && placeOf(chosen) === placeOf(secret)}
              disabled={refused !== undefined}
              title={refused}
              onClick={() => choose(secret)}
              text={secretTitle(whole, secret)}
            />
          )
        })}
      </div>
      {chosen !== null && (
        <CopyField
          label={t('Link that hides {what}', { what: secretName(whole, chosen) })}
          what={t('the link with the mystery')}
          text={link(chosen)}
          copied={copied}
        />
      )}
      <p className="soft">
        {t(
          'People who open the link see queues and workers, guess, and are told how near they are. The value is in the link, sealed but not encrypted: a puzzle, not a secret. The title stays as it is.',
        )}
      </p>
    </fieldset>
  )
}
