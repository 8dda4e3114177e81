import { type Path, pathRound } from 'd3-path'
import { select } from 'd3-selection'

type Attributes = Readonly<Record<string, string | number | null>>

/** Appends an SVG as wide as its host, and returns it. `overflow`: whether marks at its edge may reach beyond it. */
export function createSvg(
  host: Element,
  attributes: Attributes,
  overflow: 'visible' | 'hidden' = 'visible',
): SVGSVGElement {
  const svg = appendSvg(host, 'svg', { width: '100%', ...attributes })
  Object.assign(svg.style, { display: 'block', overflow })
  return svg
}

/** Appends an SVG element to `parent` and returns it. */
export function appendSvg<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  name: Name,
  attributes: Attributes = {},
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  setAttributes(made, attributes)
  parent.append(made)
  return made
}

/** Sets attributes, null removes one. Those that stay the same are not touched, so that an unchanged picture costs the page nothing. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const name in attributes) {
    const value = attributes[name]
    if (value === null) target.removeAttribute(name)
    else if (target.getAttribute(name) !== `${value}`) target.setAttribute(name, `${value}`)
  }
}

/** Sets the text of an element, if it differs. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text
}

/** Moves an element to `x`, in pixels, if it stands elsewhere. */
export function moveTo(target: HTMLElement, x: number): void {
  setStyle(target, 'transform', `translateX(${Math.round(x * 100) / 100}px)`)
}

/** Half the way of `createSlide`, in pixels: farther than the edge of any screen. */
const REACH = 16_384

/** Moves an element to `x`, in pixels, in every frame. */
export interface Slide {
  to(x: number): void
  /** Releases the element, which the animation would keep in memory. */
  end(): void
}

/** Moves an element by the time of a paused animation: for any other movement Chromium arranges all layers of the page again. */
export function createSlide(element: HTMLElement): Slide {
  const way = element.animate(
    { transform: [-REACH, REACH].map((x) => `translateX(${x}px)`) },
    { duration: 2 * REACH, fill: 'both' },
  )
  way.pause()
  let at = Number.NaN
  return {
    to(x) {
      if (x === at) return
      at = x
      way.currentTime = x + REACH
    },
    end: () => way.cancel(),
  }
}

/** Sets a style, if it differs. The value must be spelled as the browser spells it. */
export function setStyle(target: HTMLElement, name: 'transform' | 'visibility' | 'width', value: string): void {
  if (target.style[name] !== value) target.style[name] = value
}

/** Returns the child at this place, and makes it if there is none. */
export function childOf<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  place: number,
  name: Name,
): SVGElementTagNameMap[Name] {
  return (parent.children[place] as SVGElementTagNameMap[Name] | undefined) ?? appendSvg(parent, name)
}

/** Writes a text into an element, and sets its attributes. */
export function writeText(target: SVGTextElement, text: string, attributes: Attributes): void {
  setAttributes(target, attributes)
  setText(target, text)
}

/** Gives `group` one child for each item, making or removing children at its end, and has each drawn. */
export function drawEach<Name extends keyof SVGElementTagNameMap, Item>(
  group: Element,
  name: Name,
  items: readonly Item[],
  draw: (child: SVGElementTagNameMap[Name], item: Item, k: number) => void,
): void {
  select(group)
    .selectChildren<SVGElementTagNameMap[Name], Item>(name)
    .data(items)
    .join((enter) => enter.append<SVGElementTagNameMap[Name]>(name))
    .each(function (item, k) {
      draw(this, item, k)
    })
}

/** Returns an SVG path of a circle. */
export function circlePath(x: number, y: number, radius: number): string {
  const circle = pathRound(2)
  circle.arc(x, y, radius, 0, 2 * Math.PI)
  return `${circle}`
}

export type PathPoint = readonly [x: number, y: number]

/** Returns an SVG path of straight lines from point to point; empty for none. */
export function linePath(points: readonly PathPoint[]): string {
  const path = alongPoints(points)
  if (points.length === 1) path.closePath()
  return `${path}`
}

/** Returns the area between a line and a level as a closed SVG path; empty for none. */
export function areaPath(points: readonly PathPoint[], foot: number): string {
  if (points.length === 0) return ''
  const path = alongPoints(points)
  for (let i = points.length - 1; i >= 0; i--) path.lineTo(points[i][0], foot)
  path.closePath()
  return `${path}`
}

function alongPoints(points: readonly PathPoint[]): Path {
  const path = pathRound(2)
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) path.moveTo(x, y)
    else path.lineTo(x, y)
  }
  return path
}

/** Returns an SVG path of lines without length, which round caps make into dots. */
export function dotsPath(points: readonly PathPoint[]): string {
  return points.map(([x, y]) => `M${x.toFixed(1)},${y.toFixed(1)}h.01`).join('')
}

/** Returns a text for XML. A title may hold anything, also characters that XML must not have. */
export function escaped(text: string): string {
  return text
    .replace(notXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** What production 2 of XML 1.0 excludes: control characters, unpaired surrogates, U+FFFE and U+FFFF. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
