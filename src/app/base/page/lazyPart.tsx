import { type ComponentType, lazy } from 'react'
import { t } from '../../../language/translate.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

/**
 * Returns a component that is fetched when it is first shown. If that fails, a message in its place offers to try again: React's `lazy`
 * alone would remember the failure (as Chromium does for a script, for which the notice of the missing part offers a reload).
 */
export function lazyPart<Props extends object>(fetched: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const anew = (): ComponentType<Props> => lazy(async () => ({ default: await fetched() }))
  let part = anew()
  const Present = (props: Props) => {
    const Part = part
    return <Part {...props} />
  }
  return function Later(props: Props) {
    const again = () => {
      part = anew()
    }
    return (
      <ErrorBoundary name={t('This part of the page')} again={again}>
        <Present {...props} />
      </ErrorBoundary>
    )
  }
}

/** Removes style sheets that could not be fetched, which would count as present when they are needed again. Called once. */
export function dropMissingStyles(): void {
  addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.remove(), true)
}
