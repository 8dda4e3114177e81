import { type ComponentType, lazy } from 'react'
import { t } from '../../../language/translate.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

/**
 * A part of the page that is fetched when it is first shown. Where it cannot be had, that is said in its place, all around it stays,
 * and it is fetched anew when somebody tries again: React's `lazy` by itself remembers the failure for as long as the page lives. (So does
 * Chromium, for a script: there the notice of the missing part offers to reload.)
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

/** A style sheet that could not be fetched leaves the page, where it would pass for one that is there when it is wanted again. Called once. */
export function dropMissingStyles(): void {
  addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.remove(), true)
}
