/** An SVG element. Drawings of a few known parts set attributes directly; those with many alike use d3's join. */
export type Svg = SVGElement

type Values = Readonly<Record<string, string | number | null>>

/** Appends an element of the SVG namespace to `parent`. */
export function element<Name extends keyof SVGElementTagNameMap>(parent: Element, name: Name, values: Values = {}): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  set(made, values)
  parent.append(made)
  return made
}

/** Sets attributes, touching only those that differ, so that an update without news costs the page nothing; null removes. */
export function set(target: Element, values: Values): void {
  for (const name in values) {
    const value = values[name]
    if (value === null) target.removeAttribute(name)
    else if (target.getAttribute(name) !== `${value}`) target.setAttribute(name, `${value}`)
  }
}
