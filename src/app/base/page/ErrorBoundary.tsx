import { Component, type ReactNode } from 'react'
import { t } from '../../../language/translate.ts'

interface Props {
  /** What is inside, for the sentence that stands in its place: "The decision panel". */
  readonly name: string
  /** Makes ready for another try. */
  readonly again?: () => void
  readonly children: ReactNode
}

/** Keeps a mistake in one part of the page from taking the others with it. */
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
