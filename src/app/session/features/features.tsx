import { type ComponentType, Suspense, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { endAll } from '../../base/browser/frames.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { useLater } from '../../base/page/useLater.ts'
import { timelineStore } from '../page/timelineStore.ts'
import { runStore } from '../run/runStore.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { part, type Session } from '../session.ts'
import { useSession } from '../useSession.ts'
import type { Feature, Layer, Openers, PanelAt, PanelPlace, PanelProps, Shown, Tab } from './feature.ts'

/** The features, and the component of each panel, tab and layer. Each is made once: a new component would lose its state. */
const installed = part(() => ({ list: [] as readonly Feature[], components: new Map<unknown, ComponentType<never>>() }))

/** Gives the session its features, before anything is drawn. */
export function installFeatures(session: Session, list: readonly Feature[]): void {
  installed(session).list = list
}

export const featuresOf = (session: Session): readonly Feature[] => installed(session).list

/** Returns the function of a feature that opens something; undefined without that feature. */
export function openerOf<K extends keyof Openers>(session: Session, name: K): Openers[K] | undefined {
  return featuresOf(session).find(({ opens }) => opens?.[name] !== undefined)?.opens?.[name]
}

export function featureLayers(session: Session, place: Layer['place']): readonly Layer[] {
  return featuresOf(session)
    .flatMap(({ layers }) => layers ?? [])
    .filter((layer) => layer.place === place)
}

function componentOf<Props extends object>(
  session: Session,
  of: { readonly load: () => Promise<ComponentType<Props>> },
): ComponentType<Props> {
  const { components } = installed(session)
  if (!components.has(of)) components.set(of, lazyPart(of.load) as ComponentType<never>)
  return components.get(of) as unknown as ComponentType<Props>
}

function useShown(on?: Scenario): Shown {
  const session = useSession()
  const canvas = useStore(scenarioStore(session), ({ scenario }) => scenario)
  const run = useStore(runStore(session), (state) => state.run)
  const hosting = useStore(runStore(session), ({ room }) => room !== null)
  const noted = useStore(timelineStore(session), ({ notesOf }) => run !== null && notesOf(run) !== null)
  const scenario = on ?? canvas
  const asks = (option: string) => session.address.read().searchParams.has(option)
  return {
    scenario,
    run,
    hosting,
    noted,
    asks,
    either: (is) => is(scenario) || (run !== null && is(run.scenario)),
  }
}

/** Returns the components of the panels that belong at a place now. `on`: the scenario that decides; without it, that on the canvas. */
export function usePanels<P extends PanelPlace>(place: P, on?: Scenario) {
  const session = useSession()
  const shown = useShown(on)
  return featuresOf(session)
    .flatMap(({ panels }) => panels ?? [])
    .filter((panel) => panel.place === place && panel.when?.(shown) !== false)
    .sort((a, b) => a.order - b.order)
    .map((panel) => ({ order: panel.order, Component: componentOf(session, panel as unknown as PanelAt<P>) }))
}

export function FeaturePanels<P extends PanelPlace>({
  place,
  of,
  on,
}: {
  readonly place: P
  readonly of: PanelProps[P]
  readonly on?: Scenario
}) {
  return usePanels(place, on).map(({ order, Component }) => (
    <Suspense key={order}>
      <Component {...of} />
    </Suspense>
  ))
}

/** Returns the series that features add to the presets, once they are fetched. */
export function useSeries(): readonly Series[] {
  return useLater(useSession(), seriesOf) ?? NONE
}

export type Series = { readonly title: string; readonly presets: readonly Preset[] }

const NONE: readonly Series[] = []

export function seriesOf(session: Session): Promise<readonly Series[]> {
  const series = featuresOf(session).flatMap(({ gallery }) => gallery ?? [])
  return Promise.all(series.map(async ({ title, load }) => ({ title: title(), presets: await load(session) })))
}

export function useTabs(place: Tab['place']) {
  const session = useSession()
  const shown = useShown()
  return featuresOf(session)
    .flatMap(({ tabs }) => tabs ?? [])
    .filter((tab) => tab.place === place && tab.when?.(shown) !== false)
    .map((tab) => ({ ...tab, Component: componentOf(session, tab) }))
}

interface OpenLayer {
  readonly key: string
  /** The key of its feature. */
  readonly of: string | undefined
  readonly Component: ComponentType
}

export function useOpenLayers(place: Layer['place']): readonly OpenLayer[] {
  const session = useSession()
  const layers = featureLayers(session, place)
  // One digit for each layer, then what menus say of them: React compares by value.
  const read = () =>
    layers.map(({ isOpen }) => (isOpen(session) ? '1' : '0')).join('') +
    layers.map(({ state }) => state?.(session) ?? '').join()
  const open = useSyncExternalStore((onChange) => followLayers(session, layers, onChange), read, read)
  const keyOf = (layer: Layer) => featuresOf(session).find(({ layers }) => layers?.includes(layer))?.key
  return layers.flatMap((layer, k) =>
    open.charAt(k) === '1' ? [{ key: `${place} ${k}`, of: keyOf(layer), Component: componentOf(session, layer) }] : [],
  )
}

export function OpenLayers({ layers }: { readonly layers: readonly OpenLayer[] }) {
  return layers.map(({ key, Component }) => (
    <Suspense key={key}>
      <Component />
    </Suspense>
  ))
}

/** Calls the listener when one of the layers may have opened or closed. Returns an unsubscribe function. */
export function followLayers(session: Session, layers: readonly Layer[], onChange: () => void): () => void {
  return endAll(layers.map(({ store }) => store(session).subscribe(onChange)))
}
