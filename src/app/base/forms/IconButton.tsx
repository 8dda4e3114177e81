import './buttons.css'

interface Props {
  readonly label: string
  /** The icon as an SVG path in a box of 16. */
  readonly path: string
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly onClick: () => void
}

export function IconButton({ label, path, disabled = false, pressed, onClick }: Props) {
  return (
    <button
      type="button"
      className="form-icon"
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  )
}

export function RemoveButton(props: Omit<Props, 'path'>) {
  return <IconButton {...props} path="M4 4l8 8M12 4l-8 8" />
}
