import { Component, type ReactNode } from 'react'

interface Props {
  /** What is inside, for the sentence that stands in its place: "The decision panel". */
  readonly name: string
  readonly children: ReactNode
}

/** Keeps a mistake in one part of the page from taking the others with it. */
export class ErrorBoundary extends Component<Props, { readonly message: string | null }> {
  override state = { message: null }

  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) }
  }

  override render() {
    const { message } = this.state
    if (message === null) return this.props.children
    return (
      <div className="broken" role="alert">
        <p>
          {this.props.name} cannot be shown: {message}. The rest of the page goes on, and nothing is lost.
        </p>
        <button type="button" className="button" onClick={() => this.setState({ message: null })}>
          Try again
        </button>
      </div>
    )
  }
}
