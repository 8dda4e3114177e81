import { Component, type ReactNode } from 'react'
import { t } from '../../../language/translate.ts'

interface Props {
  /** What the message calls the part that failed: "The decision panel". */
  readonly name: string
  /** Called before another try. */
  readonly again?: () => void
  readonly children: ReactNode
}

/** Shows a message in the place of a part that fails. The rest of the page goes on. */
export class ErrorBoundary extends Component<Props, { readonly message: string | null }> {
  override state = { message: null }

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  again = () => {
    this.props.again?.()
    this.setState({ message: null })
  }

  override render() {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <div className="broken" role="alert">
        <p>{t('{name} cannot be shown: {message}. The rest of the page goes on, and nothing is lost.', { name: this.props.name, message })}</p>
        <button type="button" className="button" onClick={this.again}>
          {t('Try again')}
        </button>
      </div>
    )
  }
}
