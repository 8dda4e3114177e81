import { readable } from '../../../../app/base/browser/readable.ts'
import { Button } from '../../../../app/base/controls/Button.tsx'
import { t } from '../../../../language/translate.ts'

interface Props {
  readonly names: readonly string[]
  change(names: readonly string[]): void
}

/** The stages in the order in which jobs pass them; neighbours can be swapped. */
export function StageOrder({ names, change }: Props) {
  const swap = (k: number) => change([...names.slice(0, k - 1), names[k], names[k - 1], ...names.slice(k + 1)])
  return (
    <div className="fit-row">
      <span id="fit-order">{t('Jobs pass the stages in this order:')}</span>
      <ol className="fit-order" aria-labelledby="fit-order">
        {names.map((name, k) => (
          <li key={name}>
            {k > 0 && (
              <Button
                className="icon"
                aria-label={t('Swap {before} and {name}', { before: readable(names[k - 1]), name: readable(name) })}
                title={t('Swap {before} and {name}', { before: readable(names[k - 1]), name: readable(name) })}
                onClick={() => swap(k)}
                text="⇄"
              />
            )}
            <span dir="auto">{readable(name)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
