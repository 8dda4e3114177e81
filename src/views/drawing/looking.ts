import { pointer } from 'd3-selection'

/** What a person does with a plot of several places, such as columns or cells. */
export interface LookEvents {
  /** The person looks at a place, by pointer or key. */
  look(place: number): void
  /** The person chooses a place. */
  choose(place: number): void
}

/** Lets a person look at places of a plot by pointer, and choose one by a click. `placeAt` returns the place at a point; -1: none. */
export function listenToLooks(svg: SVGSVGElement, placeAt: (x: number, y: number) => number, { look, choose }: LookEvents): void {
  const listen = (type: 'pointermove' | 'click', tell: (place: number) => void) =>
    svg.addEventListener(type, (event) => {
      const place = placeAt(...pointer(event, svg))
      if (place >= 0) tell(place)
    })
  listen('pointermove', look)
  listen('click', choose)
}
