interface Props<Id extends string> {
  readonly label: string
  /** The name under which these tabs can be hidden (see hide.ts). */
  readonly control?: string
  readonly tabs: readonly { readonly id: Id; readonly name: string; readonly control?: string }[]
  readonly chosen: Id
  choose(id: Id): void
}

/** Tabs, each with the panel `panel-<id>`. The arrow keys go from one to the next. */
export function Tabs<Id extends string>({ label, control, tabs, chosen, choose }: Props<Id>) {
  const onKeyDown = (k: number, key: string) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const { id } = tabs[(k + (key === 'ArrowRight' ? 1 : -1) + tabs.length) % tabs.length]
    choose(id)
    document.getElementById(`tab-${id}`)?.focus()
  }
  return (
    <div className="tabs" data-control={control} role="tablist" aria-label={label}>
      {tabs.map(({ id, name, control: tabControl }, k) => (
        <button
          key={id}
          type="button"
          role="tab"
          data-control={tabControl}
          id={`tab-${id}`}
          aria-selected={id === chosen}
          aria-controls={id === chosen ? `panel-${id}` : undefined}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => choose(id)}
          onKeyDown={({ key }) => onKeyDown(k, key)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
