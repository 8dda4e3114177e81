/** Whether keys pressed here are typed into something. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    // The editor of the scenario's JSON stands in a shadow root, which hides its fields.
    (target.isContentEditable || target.shadowRoot !== null || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && /^(radio|range|checkbox)$/.test(target.type))
  )
}

/** Whether Space presses what has the focus. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary, [role=menuitem], [type=checkbox], [type=radio]') !== null
}

/** Whether keys move a stage here, or belong to an open menu. */
export function isEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.stage, [role=menu]') !== null
}
