import type { Page } from '@playwright/test'

/** The contents of the page at one place: its elements, forbidden ones, and texts that overflow. */
export interface Standing {
  readonly place: string
  /** The number of each kind; for kinds that depend on the words of a text, whether there are any. */
  readonly elements: Readonly<Record<string, number>>
  /** Elements and attributes that run code, fetch something or lead elsewhere. */
  readonly foreign: readonly string[]
  /** Elements that visibly overflow their width. */
  readonly wide: readonly string[]
  /** Stacked combining marks that are not clipped. */
  readonly loose: readonly string[]
  /** The places of the controls of the bar, by name. */
  readonly controls: Readonly<Record<string, string>>
}

export async function whatStands(page: Page, place: string): Promise<Standing> {
  return { place, ...(await page.evaluate(look)) }
}

function look(): Omit<Standing, 'place'> {
  const elements: Record<string, number> = {}
  const foreign: string[] = []
  const wide: string[] = []
  const loose: string[] = []
  const controls: Record<string, string> = {}
  const called = (element: Element) =>
    `${element.localName}${element.className === '' ? '' : `.${String(element.getAttribute('class')).replaceAll(' ', '.')}`}`
  const chain = (element: Element | null): string =>
    element === null || element === document.body
      ? ''
      : `${chain(element.parentElement)} ${called(element)}`.split(' ').slice(-4).join(' ')
  const fenced = (from: Element): boolean => {
    for (let at: Element | null = from; at !== null; at = at.parentElement) {
      if (/^(input|textarea|select|option|title)$/.test(at.localName) || getComputedStyle(at).overflowY !== 'visible')
        return (
          /^(p|li|h[1-6]|d[td]|t[hd]|legend|summary|button|label|span|strong|code|b|output|input|textarea|select|option|title)$/.test(
            at.localName,
          ) ||
          at.matches('.cm-line') ||
          at.clientHeight < 60
        )
    }
    return false
  }
  /** How far a line of text is painted outside its box, for focus rings. */
  const MARGIN = 5
  const cut = (element: Element) => {
    const line = element.closest('button, p, li, td, th, h1, h2, h3, dt, dd, label')
    return line !== null && getComputedStyle(line).overflowX !== 'visible'
  }
  const visit = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) {
      elements[element.localName] = /^(span|div|link|text)$/.test(element.localName)
        ? 1
        : (elements[element.localName] ?? 0) + 1
      if (/^(iframe|object|embed|base|frame|math|foreignobject|marquee|audio|video)$/i.test(element.localName))
        foreign.push(called(element))
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) foreign.push(`${called(element)} ${name}`)
        if (!/^(href|src|srcset|action|formaction|poster|data|xlink:href|style)$/i.test(name)) continue
        const address = /^(style)$/.test(name)
          ? /url\(|expression/.test(value)
          : !/^(data:image\/|blob:)/.test(value) && new URL(value, location.href).origin !== location.origin
        if (address && !value.startsWith('https://reactflow.dev'))
          foreign.push(`${called(element)} ${name}=${value.slice(0, 60)}`)
      }
      if (element.shadowRoot !== null) visit(element.shadowRoot)
      if (!(element instanceof HTMLElement) || element.offsetParent === null) continue
      const style = getComputedStyle(element)
      if (
        /visible|auto|scroll/.test(style.overflowX) &&
        // Wide tables scroll sideways.
        !element.matches('.wide-table') &&
        style.display !== 'inline' &&
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth + MARGIN &&
        !cut(element)
      )
        wide.push(chain(element))
      const own = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent)
        .join('')
      if (/\p{M}{5}/u.test(own) && !fenced(element)) loose.push(chain(element))
    }
  }
  visit(document)
  for (const control of document.querySelectorAll('.bar-controls :is(button, select, input), [role=tab]')) {
    if (control.closest('dialog') !== null) continue
    const { x, y, width, height } = control.getBoundingClientRect()
    // Above the tabs there may be another line, such as branches.
    const top = control.role === 'tab' ? 0 : y + scrollY
    // Hidden controls have no position.
    if (width > 0)
      controls[control.id || control.getAttribute('aria-label') || control.localName] = [x, top, width, height]
        .map(Math.round)
        .join()
  }
  if (
    document.documentElement.scrollWidth >
    document.documentElement.clientWidth + (matchMedia('print').matches ? MARGIN : 0)
  )
    wide.push(`the page by ${document.documentElement.scrollWidth - document.documentElement.clientWidth}`)
  return { elements, foreign, wide: [...new Set(wide)], loose: [...new Set(loose)], controls }
}
