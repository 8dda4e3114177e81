/** Returns whether keys pressed here are typed into a field. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    // The JSON editor is in a shadow root, which hides its fields.
    (target.isContentEditable || target.shadowRoot !== null || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && /^(radio|range|checkbox)$/.test(target.type))
  )
}

/** Returns whether Space presses the element. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary, [role=menuitem], [type=checkbox], [type=radio]') !== null
}

/** Returns whether the element is a stage or an open menu, which have keys of their own. */
export function isEditor(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.stage, [role=menu]') !== null
}
