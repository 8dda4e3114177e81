import { Component, type ComponentType, lazy, type ReactNode } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../controls/Button.tsx'

/**
 * Returns a component that is fetched when it is first shown. If that fails, a message in its place offers to try again. React's `lazy`
 * alone would remember the failure.
 */
export function lazyPart<Props extends object>(fetched: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const createLazy = (): ComponentType<Props> => lazy(async () => ({ default: await fetched() }))
  let part = createLazy()
  const Present = (props: Props) => {
    const Part = part
    return <Part {...props} />
  }
  return function Later(props: Props) {
    const retry = () => {
      part = createLazy()
    }
    return (
      <ErrorBoundary retry={retry}>
        <Present {...props} />
      </ErrorBoundary>
    )
  }
}

/** Removes style sheets that could not be fetched, which would count as present when they are needed again. Called once. */
export function dropMissingStyles(): void {
  addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.remove(), true)
}

interface Props {
  readonly retry?: () => void
  /** Only for the whole page: buttons that save its contents. */
  readonly rescue?: ReactNode
  readonly children: ReactNode
}

/** Shows a message in the place of a part that fails, or of the page. The rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, { readonly message: string | null }> {
  override state = { message: null }

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  retry = () => {
    this.props.retry?.()
    this.setState({ message: null })
  }

  override render() {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <div className="broken" role="alert">
        <p>{t('This part of the page cannot be shown: {message}. Nothing is lost.', { message })}</p>
        {this.props.rescue}
        <Button onClick={this.retry} text={t('Try again')} />
      </div>
    )
  }
}
