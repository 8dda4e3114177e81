import { createRequire } from 'node:module'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { createArrivals, NO_MORE } from '../../src/workload/arrivals.ts'
import { createServices } from '../../src/workload/service.ts'

/** The part of simjs that is used here; it has no types of its own. */
interface Request {
  done(call: (argument: number) => void, context: object, argument: number): Request
}
interface Facility {
  readonly name: string
}
interface Entity {
  time(): number
  setTimer(duration: number): Request
  useFacility(facility: Facility, duration: number): Request
}
interface Simjs {
  Sim: new () => { addEntity(entity: unknown): Entity; simulate(until: number, events: number): boolean }
  Entity: new (sim: unknown, name?: string) => Entity
  Facility: new (name: string, discipline: number, servers: number) => Facility
}

let loaded: Simjs | null = null

/** simjs is made for a page: without a module system it attaches itself to the window. */
function load(): Simjs {
  if (loaded !== null) return loaded
  const page = globalThis as { window?: { Sim?: Simjs } | undefined }
  page.window = {}
  const require = createRequire(import.meta.url)
  require('simjs')
  const found = page.window.Sim
  delete page.window
  if (found === undefined) throw new Error('simjs has changed how it is loaded')
  loaded = found
  return found
}

/**
 * The same jobs in simjs. It has no workers that could change stations, so each station has a fixed crew. One entity stands
 * for all jobs, which is the cheapest way to write it. Returns when the last job left; throws if not all of them did.
 */
export function playWithSimjs(scenario: Scenario, crew: readonly number[]): number {
  const { Sim, Entity, Facility } = load()
  const services = createServices(scenario)
  const arrivals = createArrivals(scenario)
  const stations = crew.map((servers, i) => new Facility(`station ${i}`, 0, servers))
  let arrived = 0
  let left = 0
  let last = 0

  class Line extends Entity {
    start(): void {
      this.awaitArrival()
    }

    awaitArrival(): void {
      const at = arrivals.next()
      if (at !== NO_MORE) this.setTimer(at - this.time()).done(this.arrive, this, arrived++)
    }

    arrive(job: number): void {
      this.serve(0, job)
      this.awaitArrival()
    }

    serve(station: number, job: number): void {
      // biome-ignore lint/correctness/useHookAtTopLevel: a method of simjs, not a hook of React
      this.useFacility(stations[station], services.at(station, job)).done(
        this.served,
        this,
        job * stations.length + station,
      )
    }

    served(code: number): void {
      const station = (code % stations.length) + 1
      const job = Math.floor(code / stations.length)
      if (station < stations.length) this.serve(station, job)
      else {
        left++
        last = this.time()
      }
    }
  }

  const sim = new Sim()
  sim.addEntity(Line)
  sim.simulate(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  if (left !== arrived) throw new Error(`${left} of ${arrived} jobs left`)
  return last
}
